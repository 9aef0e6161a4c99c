#pragma once

#include <ferry/executorch/decompositions/arithmetic-inl.hpp>
#include <ferry/executorch/decompositions/complex-inl.hpp>
#include <ferry/executorch/decompositions/layers-inl.hpp>
#include <ferry/executorch/decompositions/ordering-inl.hpp>
