#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/models/t5.hpp>
#include <ferry/models/whisper.hpp>

namespace ferry::models {

using encoder_decoder_models = type_list<T5ForConditionalGeneration, T5EncoderModel, WhisperForConditionalGeneration>;

}  // namespace ferry::models
