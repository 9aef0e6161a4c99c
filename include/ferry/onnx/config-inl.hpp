#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/dynamo/settings.hpp>
#include <ferry/onnx/config.hpp>
#include <ferry/tree/context.hpp>

#include <filesystem>
#include <string>

namespace ferry {

FERRY_INLINE tree::Context OnnxConfig::to_dict() const { return OnnxConfig(*this).settings().to_dict(); }

FERRY_INLINE OnnxConfig OnnxConfig::from_dict(const tree::Context& dict) {
    OnnxConfig made;
    made.settings().read(dict);
    made.check();
    return made;
}

FERRY_INLINE void OnnxConfig::check() const {
    const auto [oldest, newest] = opset_range;
    if (opset() < oldest || opset() > newest)
        throw Error(ErrorKind::invalid_input, "there is no export to opset " + std::to_string(opset()),
                    {.hint = "opset_version may be " + std::to_string(oldest) + " to " + std::to_string(newest)});
    if (output_path && (output_path->empty() || std::filesystem::is_directory(*output_path)))
        throw Error(ErrorKind::invalid_input, "output_path is not the path of a file",
                    {.where = {.path = output_path->string()}});
}

FERRY_INLINE Settings OnnxConfig::settings() {
    return {format,
            {{"dynamic", &dynamic},
             {"strict", &strict},
             {"dynamic_shapes", &dynamic_shapes},
             {"prefer_deferred_runtime_asserts_over_guards", &prefer_deferred_runtime_asserts_over_guards},
             {"output_path", &output_path},
             {"opset_version", &opset_version},
             {"external_data", &external_data},
             {"optimize", &optimize},
             {"export_params", &export_params},
             {"keep_initializers_as_inputs", &keep_initializers_as_inputs}}};
}

}  // namespace ferry
