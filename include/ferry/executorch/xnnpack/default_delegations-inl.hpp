#pragma once

#include <ferry/executorch/xnnpack/ops/elementwise-inl.hpp>
#include <ferry/executorch/xnnpack/ops/layers-inl.hpp>
#include <ferry/executorch/xnnpack/ops/shape-inl.hpp>
