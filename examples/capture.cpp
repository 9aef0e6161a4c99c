// Any callable over tensors is a model. Here a function, with one dimension dynamic in a given range.
#include <ferry/dynamo/exporter.hpp>
#include <ferry/program/print.hpp>

#include <ATen/ops/randn.h>

#include <cstdio>

namespace {

at::Tensor scores(const at::Tensor& query, const at::Tensor& keys) { return query.matmul(keys.t()).softmax(-1); }

}  // namespace

int main() {
    const auto inputs = ferry::inputs("query", at::randn({2, 8}), "keys", at::randn({5, 8}));
    const auto program = ferry::DynamoExporter{}.export_model(
        scores, inputs, {.dynamic_shapes = {{"keys", {{0, ferry::Dim{"count", 2, 100}}}}}});
    std::fputs(program.print().c_str(), stdout);

    const auto query = at::randn({2, 8}), keys = at::randn({31, 8});
    auto module = program.module();
    const auto result = module(ferry::inputs("query", query, "keys", keys)).leaves.at(0).tensor();
    return result.allclose(scores(query, keys)) ? 0 : 1;
}
