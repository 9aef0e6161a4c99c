#pragma once

/// Files: .pt2 and .safetensors.
#include <ferry/compiled/detail/needs_macro.hpp>
#include <ferry/core/pipeline.hpp>
#include <ferry/pt2/load-inl.hpp>
#include <ferry/pt2/save-inl.hpp>
#include <ferry/safetensors/read-inl.hpp>
#include <ferry/safetensors/write-inl.hpp>

static_assert(ferry::detail::valid_list<ferry::plain_t<ferry::default_library_ops>>::ok);
