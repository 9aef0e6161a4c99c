#pragma once

#include <ferry/capture/op_rules.hpp>
#include <ferry/capture/run_model.hpp>
#include <ferry/core/error.hpp>
#include <ferry/dynamo/config.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/model_state.hpp>
#include <ferry/tree/inputs.hpp>

#include <functional>
#include <string>

namespace ferry {

/// Everything of an export that does not depend on the model's type.
[[nodiscard]] ExportedProgram export_program(const capture::RunModel& run, const Inputs& inputs,
                                             const ModelState& state, const DynamoConfig& config,
                                             capture::OpRules rules, std::function<std::string()> running_module = {});

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/dynamo/export_program-inl.hpp>
#endif
