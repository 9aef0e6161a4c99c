#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/executorch/emit.hpp>
#include <ferry/executorch/emit/calls.hpp>
#include <ferry/executorch/emit/control_flow.hpp>
#include <ferry/executorch/emit/delegates.hpp>
#include <ferry/executorch/emit/emitter.hpp>
#include <ferry/executorch/emit/interface.hpp>

#include <string>

namespace ferry::executorch {

FERRY_INLINE Method emit(const ExportedProgram& program, const std::string& name, const SymRanges& limits,
                         Kernels& kernels, const xnnpack::Delegation* delegation, SharedData& shared,
                         const ExecutorchConfig& config) {
    return detail::Emitter(program, name, limits, kernels, delegation, shared, config).emit();
}

}  // namespace ferry::executorch
