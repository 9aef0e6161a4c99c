#include "both_ways.hpp"

#ifndef FERRY_COMPILED
#error "this file is to use the compiled way"
#endif

#include <ferry/core/extend.hpp>
#include <ferry/dynamo/exporter.hpp>

#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>

#include <cstdio>

struct relu_of_mine {
    static constexpr auto target = ferry::op("aten::relu");
    static at::Tensor call(const at::Tensor& x) { return x.clamp_min(0); }
};
using mine = ferry::extend<ferry::dynamo_pipeline, ferry::patches<relu_of_mine>>;

int main() {
    const std::filesystem::path path = "both_ways.pt2";
    export_header_only(path);
    const auto patched =
        ferry::DynamoExporter<mine>{}.export_model(model, ferry::inputs("x", at::ones({2, 4})), {.dynamic = true});
    const at::Tensor x = at::randn({5, 4});
    const at::Tensor here = patched.module()(ferry::inputs("x", x)).leaves.at(0).tensor();
    const bool right = run_loaded(path, x).equal(model(x)) && here.equal(model(x)) &&
                       patched.print().find("clamp_min") != std::string::npos;
    std::puts(right ? "both ways agree" : "the two ways differ");
    return right ? 0 : 1;
}
