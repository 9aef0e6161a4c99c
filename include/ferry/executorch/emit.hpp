#pragma once

#include <ferry/executorch/config.hpp>
#include <ferry/executorch/constants.hpp>
#include <ferry/executorch/kernels.hpp>
#include <ferry/executorch/method.hpp>
#include <ferry/graph/value_range.hpp>
#include <ferry/program/exported_program.hpp>

#include <string>

namespace ferry::executorch {

/// What the methods of one file share.
struct SharedData {
    Constants constants{};
    Constants initial_values{};  ///< of buffers that methods write to: not to be shared, whatever they begin with
};

/// A program whose every op has a kernel becomes a method; its memory is yet to be planned.
[[nodiscard]] Method emit(const ExportedProgram& program, const std::string& name, const SymRanges& limits,
                          Kernels& kernels, SharedData& shared, const ExecutorchConfig& config);

}  // namespace ferry::executorch

#ifndef FERRY_COMPILED
#include <ferry/executorch/emit-inl.hpp>
#endif
