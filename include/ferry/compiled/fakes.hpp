#pragma once

/// What ops do under a capture, and TorchScript modules as models.
#include <ferry/capture/fakes/default_fakes-inl.hpp>
#include <ferry/compiled/detail/needs_macro.hpp>
#include <ferry/core/pipeline.hpp>
#include <ferry/dynamo/default_rules.hpp>
#include <ferry/dynamo/patches/plain_convolution-inl.hpp>
#include <ferry/dynamo/torchscript-inl.hpp>

namespace ferry {

static_assert(detail::valid_list<plain_t<default_fakes>>::ok && detail::valid_list<plain_t<default_patches>>::ok);
template struct list_finder<default_fakes, capture::Kernel, capture::detail::bind_fake>;
template struct list_finder<default_patches, capture::Kernel, capture::detail::bind_patch>;

}  // namespace ferry
