// Every capture that is tested goes to ONNX as well.
#pragma once

#include "support.hpp"

#include <vector>

namespace ferry_test {

/// Whether the program's ONNX model does in ONNX Runtime what the model does: outputs, buffers and inputs afterwards. Of random
/// numbers only sizes and types are compared.
void check_in_onnx_runtime(const AnyModel& model, const ferry::ExportedProgram& program,
                           const std::vector<const ferry::Inputs*>& all_inputs);

}  // namespace ferry_test
