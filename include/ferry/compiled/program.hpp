#pragma once

/// Trees; and programs: what is in them, calling them, and writing them in smaller ops.
#include <ferry/compiled/detail/needs_macro.hpp>
#include <ferry/core/pipeline.hpp>
#include <ferry/graph/argument-inl.hpp>
#include <ferry/graph/graph-inl.hpp>
#include <ferry/program/devices-inl.hpp>
#include <ferry/program/exported_program-inl.hpp>
#include <ferry/program/libraries/transformers-inl.hpp>
#include <ferry/program/module-inl.hpp>
#include <ferry/program/named_inputs-inl.hpp>
#include <ferry/program/print-inl.hpp>
#include <ferry/program/retrace-inl.hpp>
#include <ferry/program/summary-inl.hpp>
#include <ferry/tree/context-inl.hpp>
#include <ferry/tree/inputs-inl.hpp>
#include <ferry/tree/leaf_tensors-inl.hpp>
#include <ferry/tree/reader-inl.hpp>
#include <ferry/tree/spec-inl.hpp>
#include <ferry/tree/tree-inl.hpp>

static_assert(ferry::detail::valid_list<ferry::plain_t<ferry::core_aten_decompositions>>::ok);
