#pragma once

#include <ferry/capture/fakes/attention.hpp>
#include <ferry/capture/fakes/convolution.hpp>
#include <ferry/capture/fakes/data_dependent.hpp>
#include <ferry/capture/fakes/grouped.hpp>
#include <ferry/capture/fakes/lookup.hpp>
#include <ferry/capture/fakes/normalization.hpp>
#include <ferry/capture/fakes/pooling.hpp>
#include <ferry/capture/fakes/random.hpp>
#include <ferry/capture/fakes/scatter.hpp>
#include <ferry/core/pipeline.hpp>
#include <ferry/core/stage.hpp>

namespace ferry {

struct dynamo_stages : stages<"dynamo",                                               //
                              stage<"signature", input_preparers>,                    // 1
                              stage<"model patches", model_patches, patches, fakes>,  // 2
                              stage<"pytree registration", pytrees>,                  // 3
                              stage<"dynamic shapes">,                                // 4
                              stage<"state clean-up">                                 // 5
                              > {};

using dynamo_pipeline = pipeline<dynamo_stages, attention_fakes, convolution_fakes, data_dependent_fakes, grouped_fakes,
                                 lookup_fakes, normalization_fakes, pooling_fakes, random_fakes, scatter_fakes>;

}  // namespace ferry
