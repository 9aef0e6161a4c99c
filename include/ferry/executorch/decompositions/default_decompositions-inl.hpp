#pragma once

#include <ferry/executorch/decompositions/arithmetic-inl.hpp>
#include <ferry/executorch/decompositions/complex-inl.hpp>
#include <ferry/executorch/decompositions/layers-inl.hpp>
#include <ferry/executorch/decompositions/ordering-inl.hpp>
#include <ferry/executorch/decompositions/pooling-inl.hpp>
#include <ferry/executorch/decompositions/random-inl.hpp>
#include <ferry/executorch/decompositions/running-inl.hpp>
#include <ferry/executorch/decompositions/scatter-inl.hpp>
