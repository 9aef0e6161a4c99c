#pragma once

/// The translations of ops to ONNX, and what comes before them.
#include <ferry/compiled/detail/needs_macro.hpp>
#include <ferry/core/pipeline.hpp>
#include <ferry/onnx/builder-inl.hpp>
#include <ferry/onnx/ir/model-inl.hpp>
#include <ferry/onnx/node_arguments-inl.hpp>
#include <ferry/onnx/node_builder-inl.hpp>
#include <ferry/onnx/rules.hpp>
#include <ferry/onnx/size_builder-inl.hpp>
#include <ferry/onnx/translation-inl.hpp>
#include <ferry/onnx/translations/default_translations-inl.hpp>
#include <ferry/program/decompositions/fused_layers-inl.hpp>

namespace ferry {

static_assert(detail::valid_list<plain_t<onnx::default_translations>>::ok);
static_assert(detail::valid_list<plain_t<fused_layer_decompositions>>::ok);
template struct list_finder<onnx::default_translations, onnx::Translate, onnx::detail::bind_translation>;
template struct list_finder<fused_layer_decompositions, capture::Kernel, capture::detail::bind_decomposition>;

}  // namespace ferry
