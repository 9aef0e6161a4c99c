// The C++ half of peer_print.py: prints a program for each of its models.
#include <ferry/dynamo/exporter.hpp>

#include <torch/nn/module.h>
#include <torch/types.h>

#include <cstdint>
#include <iostream>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <variant>

namespace {

using at::Tensor;
using ferry::Dim;
using ferry::inputs;

struct Linear : torch::nn::Module {
    Linear(std::int64_t from, std::int64_t to, bool with_bias) {
        weight = register_parameter("weight", at::ones({to, from}));
        if (with_bias) bias = register_parameter("bias", at::ones({to}));
    }
    Tensor forward(const Tensor& x) { return at::linear(x, weight, bias); }
    Tensor weight, bias;
};

struct Mlp : torch::nn::Module {
    Tensor forward(const Tensor& x) { return down->forward(at::gelu(up->forward(x))) + x; }
    std::shared_ptr<Linear> up = register_module("up", std::make_shared<Linear>(4, 8, true));
    std::shared_ptr<Linear> down = register_module("down", std::make_shared<Linear>(8, 4, false));
};

struct Attention : torch::nn::Module {
    Tensor forward(const Tensor& x, const Tensor& mask) {
        const auto batch = x.size(0), length = x.size(1);
        const auto parts = qkv->forward(x).view({batch, length, 3, 2, 4}).permute({2, 0, 3, 1, 4}).unbind(0);
        Tensor scores = at::matmul(parts[0], parts[1].transpose(-2, -1)) / 2.0;
        scores = scores.masked_fill(mask, -std::numeric_limits<double>::infinity());
        return at::matmul(at::softmax(scores, -1), parts[2]).transpose(1, 2).reshape({batch, length, 8});
    }
    std::shared_ptr<Linear> qkv = register_module("qkv", std::make_shared<Linear>(8, 24, true));
};

struct Counter : torch::nn::Module {
    std::tuple<Tensor, Tensor> forward(const Tensor& x, Tensor y) {
        count.add_(x.sum(0));
        y.mul_(2);
        const Tensor twice = count * 2;
        return {twice, y.sum()};
    }
    Tensor count = register_buffer("count", at::zeros({3}));
};

ferry::Tree sizes(const Tensor& x) {
    const auto on_cpu = at::TensorOptions(at::kCPU).pinned_memory(false);  // Python always says so
    const Tensor positions = at::arange(x.size(1), on_cpu);
    const Tensor flat = x.reshape({x.size(0) * x.size(1), 3});
    const Tensor full = at::full({x.size(0), x.size(1) + 1}, 0.5, on_cpu.dtype(at::kDouble));
    const Tensor next = positions + 1;
    return ferry::tree::dict_of("flat", flat, "full", full, "next", next, "size", x.size(1) * 2);
}

std::tuple<Tensor, Tensor, Tensor, Tensor> constants(const Tensor& x, std::int64_t times, double scale) {
    const auto halves = x.chunk(2, -1);
    const auto [best, where] = (halves[0] * times).topk(2);
    return {best, where, halves[1].to(at::kHalf) * scale, x};
}

template <class Model>
void print(const char* name, Model&& model, const ferry::Inputs& given, const ferry::DynamicShapes& shapes = {}) {
    std::cout << "==== " << name << '\n'
              << ferry::DynamoExporter{}.export_model(model, given, {.dynamic_shapes = shapes}).print();
}

}  // namespace

int main() {
    const Dim batch{"batch", 2, 64}, length{"length", 2, 128};
    print("mlp", Mlp(), inputs("x", at::ones({3, 4})), {{"x", {{0, batch}}}});
    print("attention", Attention(), inputs("x", at::ones({3, 5, 8}), "mask", at::ones({5, 5}, at::kBool)),
          {{"x", {{0, batch}, {1, length}}}, {"mask", {{0, length}, {1, length}}}});
    print("counter", Counter(), inputs("x", at::ones({4, 3}), "y", at::ones({2})));
    print("sizes", sizes, inputs("x", at::ones({3, 5, 3})), {{"x", {{0, batch}, {1, length}}}});
    print("constants", constants, inputs("x", at::ones({2, 6}), "times", 3, "scale", 0.5));
}
