#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/core/export_format.hpp>
#include <ferry/core/progress.hpp>
#include <ferry/tree/context.hpp>

namespace ferry {

class Settings;

struct DynamoConfig {
    bool dynamic = false;  ///< all dimensions vary that the model allows to, where no `dynamic_shapes` say which
    DynamicShapes dynamic_shapes{};  ///< which may vary, and how; all others are static
    bool strict = false;  ///< run the finished program against the model, at sizes that no probe used
    /// Where the model does not hold for all that `dynamic_shapes` asks for, the program keeps what was asked for and checks the sizes
    /// when it runs, instead of being refused: as torch.export's flag of that name.
    bool prefer_deferred_runtime_asserts_over_guards = false;
    Progress progress{};  ///< told of every run of the model, and of what follows them

    static constexpr ExportFormat format = ExportFormat::dynamo;

    [[nodiscard]] const DynamoConfig& dynamo() const { return *this; }
    /// Under the names that Python's DynamoConfig has; dimensions as in dynamic_shapes_dict.hpp.
    [[nodiscard]] tree::Context to_dict() const;
    [[nodiscard]] static DynamoConfig from_dict(const tree::Context& dict);
    /// Which key stands for what.
    [[nodiscard]] Settings settings();
};

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/dynamo/config-inl.hpp>
#endif
