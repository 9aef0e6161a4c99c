#pragma once

/// All of Ferry. Smaller includes compile faster: every header stands alone.
#include <ferry/fwd.hpp>
#include <ferry/version.hpp>

#include <ferry/core/error.hpp>
#include <ferry/core/export_format.hpp>
#include <ferry/core/extend.hpp>
#include <ferry/core/fixed_string.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/log.hpp>
#include <ferry/core/names.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/core/op_table.hpp>
#include <ferry/core/pipeline.hpp>
#include <ferry/core/progress.hpp>
#include <ferry/core/require.hpp>
#include <ferry/core/stage.hpp>
#include <ferry/core/stage_table.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/core/type_name.hpp>
#include <ferry/core/versions.hpp>

#include <ferry/tree/flatten.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/leaf_tensors.hpp>
#include <ferry/tree/members.hpp>
#include <ferry/tree/node.hpp>
#include <ferry/tree/spec.hpp>
#include <ferry/tree/spec_json.hpp>
#include <ferry/tree/tree.hpp>
#include <ferry/tree/unflatten.hpp>

#include <ferry/capture/control_flow.hpp>
#include <ferry/capture/dim.hpp>
#include <ferry/capture/libtorch.hpp>
#include <ferry/capture/log.hpp>
#include <ferry/capture/submodule.hpp>

#include <ferry/program/devices.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/module.hpp>
#include <ferry/program/named_inputs.hpp>
#include <ferry/program/print.hpp>
#include <ferry/program/run_decompositions.hpp>
#include <ferry/program/summary.hpp>

#include <ferry/dynamo/config.hpp>
#include <ferry/dynamo/exporter.hpp>
#include <ferry/dynamo/pipeline.hpp>
#include <ferry/dynamo/prepare_for_export.hpp>
#include <ferry/dynamo/torchscript.hpp>

// What a backend needs besides libtorch comes with its CMake or Conan component; without that, its half stays out.
#if __has_include(<ferry/pt2.hpp>)
#include <ferry/pt2.hpp>
#endif
#if __has_include(<onnx/onnx_pb.h>) && __has_include(<ferry/onnx.hpp>)
#include <ferry/onnx.hpp>
#endif
#if __has_include(<ferry_schema/executorch/program_generated.h>) && __has_include(<ferry/executorch.hpp>)
#include <ferry/executorch.hpp>
#endif
