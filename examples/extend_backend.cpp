// Extending a backend is a type and an alias. This one adds a graph fix to ONNX's pipeline and prints the result.
#include <ferry/core/extend.hpp>
#include <ferry/core/op_table.hpp>
#include <ferry/core/stage_table.hpp>
#include <ferry/onnx/pipeline.hpp>

#include <cstdio>

namespace {

/// silu(x) * y is one fused op in our runtime.
struct fuse_swiglu {
    static constexpr auto target = ferry::op("aten::silu");
    static bool fix(ferry::Graph&, ferry::Node&) { return false; }
};

using my_onnx = ferry::extend<ferry::onnx_pipeline, ferry::node_fixes<fuse_swiglu>>;
static_assert(ferry::contains_v<my_onnx, fuse_swiglu>);

}  // namespace

int main() {
    std::fputs(ferry::stage_table(ferry::describe_stages<my_onnx>()).c_str(), stdout);
    using fixes = ferry::op_table<my_onnx::stage<ferry::node_fixes>>;
    return fixes::contains("aten::silu") ? 0 : 1;
}
