#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/models/llava.hpp>
#include <ferry/models/qwen2_vl.hpp>
#include <ferry/models/voxtral.hpp>

namespace ferry::models {

/// Language models that see or hear.
using multimodal_models = type_list<Llava, Qwen2Vl, Voxtral>;

}  // namespace ferry::models
