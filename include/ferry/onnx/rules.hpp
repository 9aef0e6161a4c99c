#pragma once

#include <ferry/capture/rules.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/list_finder.hpp>
#include <ferry/dynamo/default_rules.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/onnx/export_program.hpp>
#include <ferry/onnx/pipeline.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/program/backend_rules.hpp>

#include <string_view>
#include <type_traits>

/// What a pipeline's entries mean to an export.
namespace ferry::onnx {

using Translate = Translation::Function;

namespace detail {

template <class Entry>
struct bind_translation {
    static constexpr Translate value = [](Translation& translation) {
        if constexpr (std::is_void_v<decltype(Entry::translate(translation))>)
            Entry::translate(translation);
        else
            translation.result(Entry::translate(translation));
    };
};
template <class Pipeline>
using find_translation = pipeline_finder<Pipeline, translations<>, Translate, bind_translation>;

template <class Entry>
void fix_model_by(Model& model, bool optimize) {
    if constexpr (requires { requires Entry::optimizes; }) {
        if (optimize) Entry::fix(model);
    } else {
        Entry::fix(model);
    }
}
template <class List>
struct list_fixes : list_fixes<plain_t<List>> {};
template <class... Entries>
struct list_fixes<ir_fixes<Entries...>> {
    static void run([[maybe_unused]] Model& model, [[maybe_unused]] bool optimize) {
        (fix_model_by<Entries>(model, optimize), ...);
    }
};
template <>
struct list_fixes<default_ir_fixes> {
    static void run(Model& model, bool optimize);
};
template <class Lists>
struct model_fixes;
template <class... Lists>
struct model_fixes<type_list<Lists...>> {
    template <class List>
    static void run_list([[maybe_unused]] Model& model, [[maybe_unused]] bool optimize) {
        if constexpr (std::is_same_v<ferry::detail::kind_of<List>, ir_fixes<>>) list_fixes<List>::run(model, optimize);
    }
    static void run(Model& model, bool optimize) { (run_list<Lists>(model, optimize), ...); }
};

/// The pipeline's own decompositions come before Ferry's; what has a translation stays whole.
template <class Pipeline>
[[nodiscard]] capture::Kernel find_parts(std::string_view op) {
    if (find_translation<Pipeline>::find(op) != nullptr) return nullptr;
    if (const capture::Kernel own = ferry::detail::find_own_parts<Pipeline>(op)) return own;
    return ferry::detail::find_core_decomposition(op);
}

[[nodiscard]] inline bool is_never_patched(std::string_view) { return false; }
template <class Pipeline>
[[nodiscard]] bool is_patched(std::string_view op) {
    return capture::rules_of<Pipeline>.patch(op) != nullptr;
}

}  // namespace detail

/// For what this pipeline has captured.
template <class Pipeline>
inline constexpr ExportRules rules_of{
    .translation = &detail::find_translation<Pipeline>::find,
    .is_patched = &detail::is_never_patched,
    .has_parts = &ferry::detail::has_parts<&detail::find_parts<Pipeline>>,
    .take_apart = &ferry::detail::take_program_apart<Pipeline, &detail::find_parts<Pipeline>>,
    .fix_node = &ferry::detail::fix_node<Pipeline>,
    .fix_model = &detail::model_fixes<typename Pipeline::lists>::run};

/// For programs from elsewhere, which have not met the pipeline's patches.
template <class Pipeline>
inline constexpr ExportRules rules_of_loaded = [] {
    ExportRules rules = rules_of<Pipeline>;
    rules.is_patched = &detail::is_patched<Pipeline>;
    rules.take_apart = &ferry::detail::take_program_apart<
        Pipeline, &ferry::detail::find_patch_or_parts<Pipeline, &detail::find_parts<Pipeline>>>;
    return rules;
}();

}  // namespace ferry::onnx

// Where Ferry is compiled once, so is the way from an op to the entries of its own lists.
#ifdef FERRY_COMPILED
namespace ferry {

extern template struct list_finder<onnx::default_translations, onnx::Translate, onnx::detail::bind_translation>;
extern template struct list_finder<fused_layer_decompositions, capture::Kernel, capture::detail::bind_decomposition>;

}  // namespace ferry
#endif

#ifndef FERRY_COMPILED
#include <ferry/onnx/rules-inl.hpp>
#endif
