#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/models/clip_vision.hpp>
#include <ferry/models/siglip_vision.hpp>
#include <ferry/models/swin.hpp>
#include <ferry/models/vit.hpp>

namespace ferry::models {

/// Models of images.
using vision_models = type_list<VitModel, VitForImageClassification, DeitModel, DeitForImageClassification,
                                DeitForImageClassificationWithTeacher, SwinModel, SwinForImageClassification,
                                ClipVisionModel, SiglipVisionModel>;

}  // namespace ferry::models
