#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/core/progress.hpp>

namespace ferry {

struct DynamoConfig {
    bool dynamic = false;  ///< all dimensions vary that the model allows to, where no `dynamic_shapes` say which
    DynamicShapes dynamic_shapes{};  ///< which may vary, and how; all others are static
    bool strict = false;  ///< run the finished program against the model, at sizes that no probe used
    /// Where the model does not hold for all that `dynamic_shapes` asks for, the program keeps what was asked for and checks the sizes
    /// when it runs, instead of being refused: as torch.export's flag of that name.
    bool prefer_deferred_runtime_asserts_over_guards = false;
    Progress progress{};  ///< told of every run of the model, and of what follows them
};

}  // namespace ferry
