#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/value.hpp>
#include <ferry/program/exported_program.hpp>

#include <c10/core/Device.h>

/// Where a program's tensors are.
namespace ferry {

/// Whether this machine, and the libtorch in this process, has it.
[[nodiscard]] bool has_device(const c10::Device& device);

/// The same of one that a file names, and that may be none at all.
[[nodiscard]] bool has_device(const Device& device);

/// All of it, as Python's move_to_device_pass does: tensors, and what the graph makes itself.
void move_to_device(ExportedProgram& program, const c10::Device& device);

/// Tensors that were read from a file go where the graph expects them, as far as there is such a device.
void place_tensors(ExportedProgram& program);

/// An Error that names a device which the program needs and which is not there.
void require_devices(const ExportedProgram& program);

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/program/devices-inl.hpp>
#endif
