// A user's file with all of Ferry in it, and a pipeline of its own.
#include <ferry/ferry.hpp>

#include <torch/torch.h>

struct Net : torch::nn::Module {
    torch::nn::Linear layer{register_module("layer", torch::nn::Linear(4, 2))};
    at::Tensor forward(const at::Tensor& x) { return torch::relu(layer(x)); }
};

struct my_relu {
    static constexpr auto target = ferry::op("aten::relu");
    static ferry::onnx::Ref translate(ferry::onnx::Translation& t) { return t.add("Relu", {t.tensor("self")}); }
};
struct my_op {
    static constexpr auto target = ferry::op("mine::op");
    static ferry::onnx::Ref translate(ferry::onnx::Translation& t) { return t.add("Neg", {t.tensor("x")}); }
};
using mine = ferry::extend<ferry::replace<ferry::onnx_pipeline, ferry::onnx::translated::relu, my_relu>,
                           ferry::translations<my_op>>;

void export_everywhere() {
    const auto inputs = ferry::inputs("x", at::ones({2, 4}));
    const auto program = ferry::DynamoExporter{}.export_model(std::make_shared<Net>(), inputs, {.dynamic = true});
    program.save("net.pt2");
    static_cast<void>(ferry::load("net.pt2").module()(at::ones({1, 4})));
    ferry::OnnxExporter{}.export_model(std::make_shared<Net>(), inputs).save("net.onnx");
    ferry::OnnxExporter<mine>{}.export_program(program).save("mine.onnx");
    ferry::ExecutorchExporter{}.export_program(program).save("net.pte");
    static_cast<void>(ferry::DynamoExporter{}.export_model(torch::jit::Module("Empty"), inputs));
}
