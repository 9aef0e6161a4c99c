#pragma once

#include <ferry/capture/left_behind.hpp>
#include <ferry/capture/module_names.hpp>
#include <ferry/capture/stated_sizes.hpp>
#include <ferry/capture/tracer/loose_numbers.hpp>
#include <ferry/capture/tracer/records.hpp>
#include <ferry/graph/sym_eval.hpp>

#include <cstdint>
#include <set>
#include <span>

namespace ferry::capture {

/// What one run of a model is told from outside.
struct RunSettings {
    std::span<const std::int64_t> unbacked{};  ///< what to answer when the model asks a tensor for its value, in order
    const SymBindings* sizes = nullptr;  ///< of this run, by symbol
    const StatedSizes* stated = nullptr;  ///< null: nothing is
    bool constants_stay_real =
        true;  ///< what empty() gives is filled in ways that no op shows; otherwise, by ops alone
    ModuleNames* names = nullptr;  ///< of the model's parameters and modules
    Fakes* fakes = nullptr;  ///< of this and earlier runs
    LooseNumbers* numbers = nullptr;  ///< null: a tensor without dimensions is state like any other
    const std::set<std::uint32_t>* traced_memory =
        nullptr;  ///< calls of empty(), counted from 0, that are ops of the graph
    std::span<const std::int64_t> observed{};  ///< what a real run has answered to the model's questions, in order
    const std::set<const c10::TensorImpl*>* written_state =
        nullptr;  ///< state that forward writes to: it has another value in each run
    bool knows_state = true;  ///< the values of all other state are those that they will always have
    bool* has_asked = nullptr;  ///< set when the model asks for a value that is not known
    LeftBehindWatch* watch = nullptr;  ///< told of all fakes that are made
    bool is_nested = false;  ///< a branch or body, inside the run of a model
};

}  // namespace ferry::capture
