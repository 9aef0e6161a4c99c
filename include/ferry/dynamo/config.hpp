#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/core/progress.hpp>

namespace ferry {

struct DynamoConfig {
    bool dynamic = false;             ///< every dimension of every input may vary, as far as the model allows
    DynamicShapes
        dynamic_shapes{};  ///< which may vary, and how; takes precedence over `dynamic` for the inputs it names
    bool strict = false;              ///< run the finished program against the model, at sizes that no probe used
    /// Where the model does not hold for all that `dynamic_shapes` asks for, the program keeps what was asked for and checks the sizes
    /// when it runs, instead of being refused: as torch.export's flag of that name.
    bool prefer_deferred_runtime_asserts_over_guards = false;
    Progress progress{};  ///< told of every run of the model, and of what follows them
};

}  // namespace ferry
