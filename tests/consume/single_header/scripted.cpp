// TorchScript with the single header alone: exported, run at another size, compared with the module itself.
#include <ferry/ferry.hpp>

#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>

int main() {
    torch::jit::Module model("Scaled");
    model.register_parameter("scale", at::full({4}, 3.0), false);
    model.define("def forward(self, x):\n    return torch.relu(x) * self.scale\n");
    const auto program =
        ferry::DynamoExporter{}.export_model(model, ferry::inputs("x", at::randn({2, 4})), {.dynamic = true});
    const at::Tensor x = at::randn({5, 4});
    const at::Tensor found = program.module()(ferry::inputs("x", x)).leaves.at(0).tensor();
    return found.equal(model.forward({x}).toTensor()) ? 0 : 1;
}
