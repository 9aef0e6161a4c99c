#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/models/mixtral.hpp>
#include <ferry/models/qwen_moe.hpp>

namespace ferry::models {

using mixture_models = type_list<Mixtral, Qwen3Moe>;

}  // namespace ferry::models
