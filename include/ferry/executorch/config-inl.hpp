#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/dynamo/settings.hpp>
#include <ferry/executorch/config.hpp>
#include <ferry/tree/context.hpp>

#include <string>

namespace ferry {

FERRY_INLINE tree::Context ExecutorchConfig::to_dict() const { return ExecutorchConfig(*this).settings().to_dict(); }

FERRY_INLINE ExecutorchConfig ExecutorchConfig::from_dict(const tree::Context& dict) {
    ExecutorchConfig made;
    made.settings().read(dict);
    made.check();
    return made;
}

FERRY_INLINE void ExecutorchConfig::check() const {
    if (backend == "portable" || backend == "xnnpack") return;
    throw Error(ErrorKind::invalid_input,
                backend == "cuda" ? "Ferry does not export for ExecuTorch's backend 'cuda' yet"
                                  : "there is no backend '" + backend + "' of ExecuTorch that Ferry exports for",
                {.hint = "there are: xnnpack, portable"});
}

FERRY_INLINE Settings ExecutorchConfig::settings() {
    return {format,
            {{"dynamic", &dynamic},
             {"strict", &strict},
             {"dynamic_shapes", &dynamic_shapes},
             {"prefer_deferred_runtime_asserts_over_guards", &prefer_deferred_runtime_asserts_over_guards},
             {"backend", &backend},
             {"smallest_delegate", &smallest_delegate},
             {"alloc_graph_input", &alloc_graph_input},
             {"alloc_graph_output", &alloc_graph_output},
             {"alloc_mutable_buffers", &alloc_mutable_buffers},
             {"external_constants", &external_constants}}};
}

}  // namespace ferry
