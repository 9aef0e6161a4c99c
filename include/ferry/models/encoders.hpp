#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/models/albert.hpp>
#include <ferry/models/bert.hpp>
#include <ferry/models/distilbert.hpp>
#include <ferry/models/modernbert.hpp>
#include <ferry/models/roberta.hpp>

namespace ferry::models {

/// Models that make something of whole texts.
using encoder_models = concat_t<bert_models, roberta_models, distilbert_models, albert_models, modernbert_models>;

}  // namespace ferry::models
