#pragma once

#include <ferry/core/type_list.hpp>
#include <ferry/program/decompositions/factory.hpp>
#include <ferry/program/decompositions/indexing.hpp>
#include <ferry/program/decompositions/loss.hpp>
#include <ferry/program/decompositions/network.hpp>
#include <ferry/program/decompositions/pointwise.hpp>
#include <ferry/program/decompositions/recurrent.hpp>
#include <ferry/program/decompositions/reduction.hpp>
#include <ferry/program/decompositions/resampling.hpp>
#include <ferry/program/decompositions/spectral.hpp>
#include <ferry/program/decompositions/view.hpp>
#include <ferry/program/libraries/default_libraries.hpp>

namespace ferry {

/// Down to core ATen, as far as composite ops do not say it themselves: the counterpart of Python's default table.
struct core_aten_decompositions
    : concat_t<factory_decompositions, view_decompositions, indexing_decompositions, pointwise_decompositions,
               reduction_decompositions, loss_decompositions, resampling_decompositions, network_decompositions,
               recurrent_decompositions, spectral_decompositions, library_decompositions>,
      own_list {};

}  // namespace ferry
