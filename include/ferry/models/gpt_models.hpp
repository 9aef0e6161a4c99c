#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/models/gpt2.hpp>
#include <ferry/models/gpt_neox.hpp>
#include <ferry/models/gptj.hpp>

namespace ferry::models {

using gpt_models = type_list<Gpt2, GptNeoX, GptJ>;

}  // namespace ferry::models
