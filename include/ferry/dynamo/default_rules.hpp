#pragma once

#include <ferry/capture/rules.hpp>
#include <ferry/core/list_finder.hpp>
#include <ferry/dynamo/pipeline.hpp>

/// Where Ferry is compiled once, so is the way from an op to the entries of its own lists.
#ifdef FERRY_COMPILED
namespace ferry {

extern template struct list_finder<default_fakes, capture::Kernel, capture::detail::bind_fake>;
extern template struct list_finder<default_patches, capture::Kernel, capture::detail::bind_patch>;

}  // namespace ferry
#endif
