#pragma once

#include <ferry/dynamo/model_adapter.hpp>
#include <ferry/program/model_state.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/tree.hpp>

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/// TorchScript modules as models: `DynamoExporter{}.export_model(torch::jit::load("model.pt"), inputs)`. The interpreter runs the
/// module's forward under the capture, so branches on shapes take the path of the sample's sizes, as in C++. Inputs go to forward's
/// parameters by name.
namespace ferry {
namespace detail {

[[nodiscard]] Tree call_script(torch::jit::Module& model, const Inputs& inputs);
[[nodiscard]] ModelState state_of_script(const torch::jit::Module& model);
/// The path of the module that the interpreter runs, "blocks.0.up".
[[nodiscard]] std::function<std::string()> script_paths(const torch::jit::Module& model);

/// What the attributes of a scripted module were; lists and dicts among them with what was in them.
class ScriptGuard {
public:
    explicit ScriptGuard(const torch::jit::Module& model);

    /// As StateGuard has it: a tensor exchanged for one of the same kind counts as written to.
    void keep_changes();

    void put_back();

private:
    struct Saved {
        c10::intrusive_ptr<c10::ivalue::Object> object;
        std::size_t slot;
        c10::IValue value;
        c10::IValue inside;
    };
    std::vector<Saved> saved_;
};

}  // namespace detail

template <>
struct model_adapter<torch::jit::Module> {
    using Guard = detail::ScriptGuard;

    template <class Pytrees>
    [[nodiscard]] static Tree call(torch::jit::Module& model, const Inputs& inputs) {
        return detail::call_script(model, inputs);
    }

    [[nodiscard]] static ModelState state(const torch::jit::Module& model) { return detail::state_of_script(model); }
    [[nodiscard]] static Guard guard(const torch::jit::Module& model) { return Guard(model); }
    [[nodiscard]] static std::function<std::string()> running_module(const torch::jit::Module& model) {
        return detail::script_paths(model);
    }
};

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/dynamo/torchscript-inl.hpp>
#endif
