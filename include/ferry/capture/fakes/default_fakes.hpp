#pragma once

#include <ferry/capture/fakes/attention.hpp>
#include <ferry/capture/fakes/convolution.hpp>
#include <ferry/capture/fakes/cumulative.hpp>
#include <ferry/capture/fakes/data_dependent.hpp>
#include <ferry/capture/fakes/distance.hpp>
#include <ferry/capture/fakes/factories.hpp>
#include <ferry/capture/fakes/fft.hpp>
#include <ferry/capture/fakes/grouped.hpp>
#include <ferry/capture/fakes/linalg.hpp>
#include <ferry/capture/fakes/lookup.hpp>
#include <ferry/capture/fakes/losses.hpp>
#include <ferry/capture/fakes/normalization.hpp>
#include <ferry/capture/fakes/pointwise.hpp>
#include <ferry/capture/fakes/pooling.hpp>
#include <ferry/capture/fakes/positions.hpp>
#include <ferry/capture/fakes/products.hpp>
#include <ferry/capture/fakes/quantization.hpp>
#include <ferry/capture/fakes/random.hpp>
#include <ferry/capture/fakes/rearrange.hpp>
#include <ferry/capture/fakes/recurrent.hpp>
#include <ferry/capture/fakes/reduction.hpp>
#include <ferry/capture/fakes/scatter.hpp>
#include <ferry/core/type_list.hpp>

namespace ferry {

/// For every op that a capture is known to meet and that libtorch has no C++ Meta kernel for.
struct default_fakes
    : concat_t<attention_fakes, convolution_fakes, cumulative_fakes, data_dependent_fakes, distance_fakes,
               factory_fakes, fft_fakes, grouped_fakes, linalg_fakes, lookup_fakes, loss_fakes, normalization_fakes,
               pointwise_fakes, pooling_fakes, position_fakes, product_fakes, quantization_fakes, random_fakes,
               rearranging_fakes, recurrent_fakes, reduction_fakes, scatter_fakes>,
      own_list {};

}  // namespace ferry
