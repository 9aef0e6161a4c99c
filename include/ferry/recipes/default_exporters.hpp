#pragma once

/// The backends that are there: each comes with what it needs besides libtorch, as in ferry.hpp.
#include <ferry/core/type_list.hpp>
#include <ferry/dynamo/exporter.hpp>
#include <ferry/recipes/auto_exporters.hpp>

#if __has_include(<ferry/pt2.hpp>)
#include <ferry/pt2/save.hpp>
#endif
#if __has_include(<onnx/onnx_pb.h>) && __has_include(<ferry/onnx.hpp>)
#include <ferry/onnx/exporter.hpp>
#endif
#if __has_include(<ferry_schema/executorch/program_generated.h>) && __has_include(<ferry/executorch.hpp>)
#include <ferry/executorch/exporter.hpp>
#endif

namespace ferry {

using default_exporters = concat_t<auto_exporters<DynamoExporter<>>
#if __has_include(<onnx/onnx_pb.h>) && __has_include(<ferry/onnx.hpp>)
                                   ,
                                   auto_exporters<OnnxExporter<>>
#endif
#if __has_include(<ferry_schema/executorch/program_generated.h>) && __has_include(<ferry/executorch.hpp>)
                                   ,
                                   auto_exporters<ExecutorchExporter<>>
#endif
                                   >;

}  // namespace ferry
