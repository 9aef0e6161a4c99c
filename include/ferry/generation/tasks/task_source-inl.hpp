#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/generation/config_fields.hpp>
#include <ferry/generation/tasks/task_source.hpp>

namespace ferry::generation {

FERRY_INLINE const tree::Context& TaskSource::text_config() const {
    const tree::Context* text = config_field(config, {"text_config"});
    return text != nullptr && text->is_dict() ? *text : config;
}

}  // namespace ferry::generation
