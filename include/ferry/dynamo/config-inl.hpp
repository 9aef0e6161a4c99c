#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/dynamo/config.hpp>
#include <ferry/dynamo/settings.hpp>
#include <ferry/tree/context.hpp>

namespace ferry {

FERRY_INLINE tree::Context DynamoConfig::to_dict() const { return DynamoConfig(*this).settings().to_dict(); }

FERRY_INLINE DynamoConfig DynamoConfig::from_dict(const tree::Context& dict) {
    DynamoConfig made;
    made.settings().read(dict);
    return made;
}

FERRY_INLINE Settings DynamoConfig::settings() {
    return {format,
            {{"dynamic", &dynamic},
             {"strict", &strict},
             {"dynamic_shapes", &dynamic_shapes},
             {"prefer_deferred_runtime_asserts_over_guards", &prefer_deferred_runtime_asserts_over_guards}}};
}

}  // namespace ferry
