#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/generation/tasks/classification.hpp>
#include <ferry/generation/tasks/encoder_decoder_task.hpp>
#include <ferry/generation/tasks/multimodal_text_to_text.hpp>
#include <ferry/generation/tasks/task.hpp>
#include <ferry/generation/tasks/text_generation.hpp>

namespace ferry::generation {

/// What models are exported for; users add theirs: `TaskFinder<concat_t<all_tasks, type_list<my_task>>>`.
using all_tasks = type_list<text_generation, multimodal_text_to_text, text2text_generation,
                            automatic_speech_recognition, image_classification, fill_mask>;

}  // namespace ferry::generation
