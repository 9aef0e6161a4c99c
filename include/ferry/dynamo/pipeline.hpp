#pragma once

#include <ferry/capture/fakes/default_fakes.hpp>
#include <ferry/core/pipeline.hpp>
#include <ferry/core/stage.hpp>
#include <ferry/dynamo/patches/plain_convolution.hpp>

namespace ferry {

struct dynamo_stages : stages<"dynamo",                                               //
                              stage<"signature", input_preparers>,                    // 1
                              stage<"model patches", model_patches, patches, fakes>,  // 2
                              stage<"pytree registration", pytrees>,                  // 3
                              stage<"dynamic shapes">,                                // 4
                              stage<"state clean-up", stateful_member_list>           // 5
                              > {};

struct default_patches : patches<patched::traced_convolution, patched::traced_convolution_deprecated>, own_list {};

using dynamo_pipeline = pipeline<dynamo_stages, default_patches, default_fakes>;

}  // namespace ferry
