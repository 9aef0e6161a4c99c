#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/core/export_format.hpp>
#include <ferry/core/progress.hpp>
#include <ferry/dynamo/config.hpp>
#include <ferry/tree/context.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace ferry {

struct ExecutorchConfig {
    // As in DynamoConfig.
    bool dynamic = false;
    DynamicShapes dynamic_shapes{};
    bool strict = false;
    bool prefer_deferred_runtime_asserts_over_guards = false;
    Progress progress{};

    std::string backend = "xnnpack";  ///< who computes: XNNPACK what it can, or the runtime's "portable" kernels alone
    std::optional<std::int64_t> smallest_delegate{};  ///< fewer ops, all of them cheap, are left to kernels; else 2
    bool alloc_graph_input = true;  ///< false: the runtime uses the memory of the inputs that it is given
    bool alloc_graph_output = true;  ///< false: who calls a method brings memory for its outputs
    bool alloc_mutable_buffers = true;  ///< false: who calls a method brings memory for what it keeps between runs

    bool external_constants = false;  ///< true: weights stand in a .ptd file beside the .pte file

    static constexpr ExportFormat format = ExportFormat::executorch;

    [[nodiscard]] DynamoConfig dynamo() const {
        return {.dynamic = dynamic,
                .dynamic_shapes = dynamic_shapes,
                .strict = strict,
                .prefer_deferred_runtime_asserts_over_guards = prefer_deferred_runtime_asserts_over_guards,
                .progress = progress};
    }

    /// Refuses what no export could do, before one starts.
    void check() const;
    /// Under the names that Python's ExecutorchConfig has; dimensions as in dynamic_shapes_dict.hpp.
    [[nodiscard]] tree::Context to_dict() const;
    [[nodiscard]] static ExecutorchConfig from_dict(const tree::Context& dict);
    /// Which key stands for what.
    [[nodiscard]] Settings settings();
};

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/executorch/config-inl.hpp>
#endif
