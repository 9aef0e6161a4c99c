#pragma once

#include <ferry/executorch/node_fixes/arithmetic-inl.hpp>
#include <ferry/executorch/node_fixes/element_types-inl.hpp>
#include <ferry/executorch/node_fixes/layers-inl.hpp>
#include <ferry/executorch/node_fixes/pieces-inl.hpp>
#include <ferry/executorch/node_fixes/precision-inl.hpp>
