#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/models/gemma.hpp>
#include <ferry/models/glm.hpp>
#include <ferry/models/gpt_models.hpp>
#include <ferry/models/granite.hpp>
#include <ferry/models/llama.hpp>
#include <ferry/models/mamba.hpp>
#include <ferry/models/mistral.hpp>
#include <ferry/models/mixture_models.hpp>
#include <ferry/models/olmo2.hpp>
#include <ferry/models/phi3.hpp>
#include <ferry/models/qwen.hpp>
#include <ferry/models/smollm3.hpp>
#include <ferry/models/starcoder2.hpp>

namespace ferry::models {

using decoder_models = type_list<Llama, Mistral, Qwen2, Qwen3, Gemma, Gemma2, Gemma3, Phi3, Olmo2, Granite, SmolLm3,
                                 Starcoder2, Glm, Glm4>;
using language_models = concat_t<decoder_models, gpt_models, mixture_models, state_space_models>;

}  // namespace ferry::models
