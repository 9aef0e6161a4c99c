// An op of one's own goes to ONNX: its shapes for the capture, its translation for the model, and a pipeline with both.
#include <ferry/onnx.hpp>

#include <ATen/ops/empty_like.h>
#include <torch/library.h>
#include <torch/types.h>

#include <cstdio>

namespace {

at::Tensor scaled_relu(const at::Tensor& x, double scale) { return x.relu() * scale; }

TORCH_LIBRARY(mine, library) { library.def("scaled_relu(Tensor x, float scale) -> Tensor"); }
TORCH_LIBRARY_IMPL(mine, CPU, library) { library.impl("scaled_relu", &scaled_relu); }

struct shape_of_scaled_relu {
    static constexpr auto target = ferry::op("mine::scaled_relu");
    static at::Tensor fake(const at::Tensor& x, double) { return at::empty_like(x); }
};
/// To standard ops; `t.add_custom("my.domain", 1, "ScaledRelu", ...)` would leave it to a runtime that has the op.
struct translated_scaled_relu {
    static constexpr auto target = ferry::op("mine::scaled_relu");
    static ferry::onnx::Ref translate(ferry::onnx::Translation& t) {
        return t.add("Mul", {t.add("Relu", {t.tensor("x")}), t.factor("scale", t.result_dtype())});
    }
};
using my_onnx = ferry::extend<ferry::onnx_pipeline, ferry::fakes<shape_of_scaled_relu>,
                              ferry::translations<translated_scaled_relu>>;

at::Tensor model(const at::Tensor& x) {
    static const auto op = c10::Dispatcher::singleton()
                               .findSchemaOrThrow("mine::scaled_relu", "")
                               .typed<at::Tensor(const at::Tensor&, double)>();
    return op.call(x, 0.5) + 1;
}

}  // namespace

int main() {
    const auto exported =
        ferry::OnnxExporter<my_onnx>{}.export_model(model, ferry::inputs("x", torch::randn({2, 3})), {.dynamic = true});
    const auto x = torch::randn({5, 4});
    const bool is_right = torch::allclose(exported(ferry::inputs("x", x)).leaves[0].tensor(), model(x));
    std::printf("%zu nodes, %s in ONNX Runtime\n", exported.num_nodes(), is_right ? "right" : "wrong");
    return is_right ? 0 : 1;
}
