#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/observe/aligned_calls.hpp>
#include <ferry/observe/infer_arguments.hpp>
#include <ferry/observe/infer_dynamic_shapes.hpp>
#include <ferry/observe/observer.hpp>
#include <ferry/tree/leaf_tensors.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ferry {

FERRY_INLINE void InputObserver::set_signature(Signature signature) {
    if (signature_) return;
    for (const auto& [name, value] : value_if_missing_) {
        if (signature.names.empty() || algo::contains(signature.names, name)) continue;
        std::string known;
        for (const std::string& each : signature.names) known.append(known.empty() ? "" : ", ").append(each);
        throw Error(ErrorKind::invalid_input,
                    "value_if_missing has an argument '" + name + "' that the observed model does not take",
                    {.hint = "its parameters are: " + known, .where = {.path = name}});
    }
    signature_ = std::move(signature);
}

FERRY_INLINE ObservedCall InputObserver::prepare(const Inputs& inputs) const {
    static const Signature unknown;
    const Signature& signature = signature_ ? *signature_ : unknown;
    const Inputs own = clone_leaf_tensors(inputs);
    Inputs given, constants;
    for (const auto& [name, value] : own) {
        const bool is_plain = value.is_leaf() && !value.leaves[0].is_tensor();
        if (value.is_leaf() && value.leaves[0].is_absent()) continue;
        const auto usual = signature.defaults.find(name);
        if (!is_plain)
            given.set(name, value);
        else if (usual == signature.defaults.end() || !(usual->second == value.leaves[0]))
            constants.set(name, value);
    }
    for (const auto& [name, value] : value_if_missing_)
        if (given.find(name) == nullptr) given.set(name, value);
    ObservedCall call{.constants = std::move(constants)};
    for (const std::string& name : signature.names)
        if (const Tree* value = given.find(name)) call.inputs.set(name, *value);
    for (const auto& [name, value] : given)
        if (call.inputs.find(name) == nullptr) call.inputs.set(name, value);
    return call;
}

FERRY_INLINE void InputObserver::remove_inputs(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        bool is_known = false;
        for (ObservedCall& call : calls_)
            for (Inputs* inputs : {&call.inputs, &call.constants}) is_known = inputs->erase(name) || is_known;
        if (!is_known)
            throw Error(ErrorKind::invalid_input, "no call had such an input, so that it cannot be removed",
                        {.where = {.path = name}});
    }
}

FERRY_INLINE DynamicShapes InputObserver::infer_dynamic_shapes(const BatchedInputs& batched) const {
    return observe::infer_dynamic_shapes(observe::AlignedCalls(calls_), batched);
}

FERRY_INLINE Inputs InputObserver::infer_arguments(std::optional<std::size_t> call) const {
    const observe::AlignedCalls calls(calls_);
    const std::size_t chosen = call.value_or(calls.first_full());
    if (chosen >= calls_.size())
        throw Error(ErrorKind::invalid_input, "there is no call " + std::to_string(chosen) + ": " +
                                                  std::to_string(calls_.size()) + " are stored");
    return observe::as_inputs(calls, observe::without_gaps(calls, calls.leaves_of(chosen)));
}

FERRY_INLINE Inputs InputObserver::infer_arguments(const Inputs& given) const {
    observe::AlignedCalls calls(calls_);
    const ObservedCall call = prepare(given);
    return observe::as_inputs(calls, observe::without_gaps(calls, calls.align(call.inputs, call.constants)));
}

namespace observe {

FERRY_INLINE void Scope::called(const void* /*model*/, const Inputs& inputs) {
    Running& running = running_.emplace_back();
    if (skips_ > 0)
        --skips_;
    else
        running.call = observer_.prepare(inputs);
    running.start = Clock::now();
}

FERRY_INLINE void Scope::returned(const void* /*model*/, const Tree& outputs) {
    const auto end = Clock::now();
    Running running = std::move(running_.back());
    running_.pop_back();
    if (!running.call) return;
    running.call->seconds = std::chrono::duration<double>(end - running.start).count();
    running.call->outputs = clone_leaf_tensors(outputs);
    observer_.add(*std::move(running.call));
}

FERRY_INLINE void Scope::failed(const void* /*model*/) noexcept {
    if (!running_.empty()) running_.pop_back();
}

}  // namespace observe
}  // namespace ferry
