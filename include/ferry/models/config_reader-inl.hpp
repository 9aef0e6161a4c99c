#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/config_reader.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::models {
namespace detail {

/// Names, versions, training, and what `generate` reads from another file.
inline constexpr std::array<std::string_view, 35> without_influence{"architectures",
                                                                    "model_type",
                                                                    "_name_or_path",
                                                                    "_attn_implementation_autoset",
                                                                    "transformers_version",
                                                                    "torch_dtype",
                                                                    "dtype",
                                                                    "use_cache",
                                                                    "bos_token_id",
                                                                    "eos_token_id",
                                                                    "pad_token_id",
                                                                    "sep_token_id",
                                                                    "cls_token_id",
                                                                    "mask_token_id",
                                                                    "initializer_range",
                                                                    "initializer_factor",
                                                                    "attention_dropout",
                                                                    "hidden_dropout",
                                                                    "hidden_dropout_prob",
                                                                    "attention_probs_dropout_prob",
                                                                    "residual_dropout",
                                                                    "embedding_dropout",
                                                                    "resid_pdrop",
                                                                    "embd_pdrop",
                                                                    "attn_pdrop",
                                                                    "classifier_dropout",
                                                                    "pretraining_tp",
                                                                    "output_attentions",
                                                                    "output_hidden_states",
                                                                    "return_dict",
                                                                    "id2label",
                                                                    "label2id",
                                                                    "problem_type",
                                                                    "chunk_size_feed_forward",
                                                                    "max_position_embeddings"};

}  // namespace detail

FERRY_INLINE const tree::Context* ConfigReader::find(std::string_view field) {
    read_.emplace(field);
    const tree::Context* found = fields_.find(field);
    return found != nullptr && !found->is_none() ? found : nullptr;
}

FERRY_INLINE void ConfigReader::refuse(std::string_view field, const std::string& wanted) const {
    const tree::Context* found = fields_.find(field);
    throw Error(ErrorKind::bad_file, "config.json: '" + std::string(field) + "' " +
                                         (found == nullptr ? "is missing" : "is " + tree::python_repr(*found)) +
                                         ", and " + wanted);
}

FERRY_INLINE std::optional<std::int64_t> ConfigReader::maybe_integer(std::string_view field) {
    const tree::Context* found = find(field);
    if (found == nullptr) return std::nullopt;
    const auto value = found->as_integer();
    if (!value) refuse(field, "an integer is needed");
    return value;
}
FERRY_INLINE std::int64_t ConfigReader::integer(std::string_view field) {
    const auto value = maybe_integer(field);
    if (!value) refuse(field, "an integer is needed");
    return *value;
}
FERRY_INLINE std::int64_t ConfigReader::integer(std::string_view field, std::int64_t otherwise) {
    return maybe_integer(field).value_or(otherwise);
}

FERRY_INLINE double ConfigReader::real(std::string_view field, double otherwise) {
    const tree::Context* found = find(field);
    if (found == nullptr) return otherwise;
    if (const auto integer = found->as_integer()) return static_cast<double>(*integer);
    const auto value = found->as_real();
    if (!value) refuse(field, "a number is needed");
    return *value;
}

FERRY_INLINE bool ConfigReader::flag(std::string_view field, bool otherwise) {
    const tree::Context* found = find(field);
    if (found == nullptr) return otherwise;
    const auto value = found->as_boolean();
    if (!value) refuse(field, "true or false is needed");
    return *value;
}

FERRY_INLINE std::string ConfigReader::text(std::string_view field, std::string_view otherwise) {
    const tree::Context* found = find(field);
    if (found == nullptr) return std::string(otherwise);
    if (!found->is_text()) refuse(field, "a text is needed");
    return found->text();
}

FERRY_INLINE std::vector<std::string> ConfigReader::texts(std::string_view field) {
    const tree::Context* found = find(field);
    if (found == nullptr) return {};
    if (!found->is_list()) refuse(field, "a list is needed");
    std::vector<std::string> made;
    for (const tree::Context& each : found->items()) {
        if (!each.is_text()) refuse(field, "a list of texts is needed");
        made.push_back(each.text());
    }
    return made;
}

FERRY_INLINE void ConfigReader::expect(std::string_view field, const tree::Context& value) {
    const tree::Context* found = find(field);
    if (found != nullptr && *found != value) refuse(field, "only " + tree::python_repr(value) + " is supported");
}

FERRY_INLINE void ConfigReader::finish() const {
    std::string unknown;
    for (std::size_t i = 0; i < fields_.keys().size(); ++i) {
        const std::string& field = fields_.keys()[i];
        const bool is_known = read_.contains(field) || fields_.items()[i].is_none() ||
                              std::find(detail::without_influence.begin(), detail::without_influence.end(), field) !=
                                  detail::without_influence.end();
        if (!is_known)
            unknown.append("\n    ").append(field).append(": ").append(tree::python_repr(fields_.items()[i]));
    }
    if (!unknown.empty())
        throw Error(ErrorKind::unsupported, "config.json has fields that this model does not know:" + unknown,
                    {.hint = "remove a field that changes nothing in what the model computes"});
}

}  // namespace ferry::models
