#pragma once

#include <ferry/capture/fakes/attention.hpp>
#include <ferry/capture/fakes/convolution.hpp>
#include <ferry/capture/fakes/data_dependent.hpp>
#include <ferry/capture/fakes/grouped.hpp>
#include <ferry/capture/fakes/lookup.hpp>
#include <ferry/capture/fakes/normalization.hpp>
#include <ferry/capture/fakes/pooling.hpp>
#include <ferry/capture/fakes/positions.hpp>
#include <ferry/capture/fakes/random.hpp>
#include <ferry/capture/fakes/scatter.hpp>
#include <ferry/capture/fakes/spread.hpp>
#include <ferry/core/type_list.hpp>

namespace ferry {

/// For every op that a capture is known to meet and that libtorch has no C++ Meta kernel for.
using default_fakes =
    concat_t<attention_fakes, convolution_fakes, data_dependent_fakes, grouped_fakes, lookup_fakes, normalization_fakes,
             pooling_fakes, position_fakes, random_fakes, scatter_fakes, spread_fakes>;

}  // namespace ferry
