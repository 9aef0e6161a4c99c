#pragma once

#include <ferry/dynamo/bind.hpp>
#include <ferry/dynamo/state_guard.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/tree.hpp>

#include <functional>
#include <string>
#include <type_traits>

namespace ferry {

/// How an exporter deals with a kind of model. This one is for C++ modules and callables; others are specialisations, each in the
/// header that knows the kind (dynamo/torchscript.hpp).
template <class Model>
struct model_adapter {
    using Inner = std::remove_reference_t<decltype(detail::innermost(std::declval<Model&>()))>;
    using Guard = StateGuard<Inner>;

    template <class Pytrees>
    [[nodiscard]] static Tree call(Model& model, const Inputs& inputs) {
        return call_model<Pytrees>(model, inputs);
    }
    [[nodiscard]] static ModelState state(Model& model) { return state_of(model); }
    [[nodiscard]] static Guard guard(Model& model) { return Guard(detail::innermost(model)); }
    /// Something that can tell the path of the running module, beyond what ferry::submodule tells.
    [[nodiscard]] static std::function<std::string()> running_module(Model&) { return {}; }
};

}  // namespace ferry
