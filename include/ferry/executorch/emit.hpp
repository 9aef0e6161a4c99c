#pragma once

#include <ferry/executorch/config.hpp>
#include <ferry/executorch/constants.hpp>
#include <ferry/executorch/kernels.hpp>
#include <ferry/executorch/method.hpp>
#include <ferry/executorch/xnnpack/schedule.hpp>
#include <ferry/graph/value_range.hpp>
#include <ferry/program/exported_program.hpp>

#include <cstdint>
#include <string>

namespace ferry::executorch {

/// What the methods of one file share.
struct SharedData {
    Constants constants{};
    Constants weights{};         ///< that delegates pack when a method is loaded
    Constants initial_values{};  ///< of buffers that methods write to: not to be shared, whatever they begin with
    bool is_external = false;    ///< constants that have a name, and weights, stand in a file of their own
};

/// What a delegate calls weights of that number.
[[nodiscard]] inline std::string weight_name(std::uint32_t number) { return "weights." + std::to_string(number); }

/// A program whose every op has a kernel or is delegated becomes a method; its memory is yet to be planned. `delegation` may be null.
[[nodiscard]] Method emit(const ExportedProgram& program, const std::string& name, const SymRanges& limits,
                          Kernels& kernels, const xnnpack::Delegation* delegation, SharedData& shared,
                          const ExecutorchConfig& config);

}  // namespace ferry::executorch

#ifndef FERRY_COMPILED
#include <ferry/executorch/emit-inl.hpp>
#endif
