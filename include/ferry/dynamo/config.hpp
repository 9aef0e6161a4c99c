#pragma once

#include <ferry/capture/dim.hpp>
#include <ferry/core/progress.hpp>

namespace ferry {

struct DynamoConfig {
    bool dynamic = false;              ///< every dimension of every input may vary, as far as the model allows
    DynamicShapes
        dynamic_shapes{};    ///< which may vary, and how; takes precedence over `dynamic` for the inputs it names
    bool strict = false;               ///< run the finished program against the model, at sizes that no probe used
    Progress progress{};
};

}  // namespace ferry
