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

/// Names, versions, training, what `generate` reads from another file, and how the model is exported.
inline constexpr std::array<std::string_view, 36> without_influence{"architectures",
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
                                                                    "max_position_embeddings",
                                                                    "export_config"};

/// By which code attention is computed: all models here take scaled_dot_product_attention, or what is the same.
inline constexpr std::array<std::string_view, 3> attention_fields{"attn_implementation", "_attn_implementation",
                                                                  "_attn_implementation_internal"};

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

FERRY_INLINE std::int64_t ConfigReader::layers(std::string_view field) {
    const std::int64_t count = integer(field);
    if (count < 0 || count > most_layers) refuse(field, "0 to " + std::to_string(most_layers) + " layers are possible");
    return count;
}
FERRY_INLINE std::int64_t ConfigReader::layers(std::string_view field, std::int64_t otherwise) {
    return find(field) == nullptr ? otherwise : layers(field);
}

FERRY_INLINE double ConfigReader::real(std::string_view field, double otherwise) {
    const tree::Context* found = find(field);
    if (found == nullptr) return otherwise;
    if (const auto integer = found->as_integer()) return static_cast<double>(*integer);
    const auto value = found->as_real();
    if (!value) refuse(field, "a number is needed");
    return *value;
}

FERRY_INLINE std::optional<double> ConfigReader::maybe_real(std::string_view field, std::optional<double> otherwise) {
    if (fields_.find(field) == nullptr) return otherwise;
    return find(field) != nullptr ? std::optional(real(field, 0)) : std::nullopt;
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

template <class Value, class Read>
std::vector<Value> ConfigReader::list(std::string_view field, const std::string& wanted, const Read& read) {
    const tree::Context* found = find(field);
    if (found == nullptr) return {};
    if (!found->is_list()) refuse(field, "a list is needed");
    std::vector<Value> made;
    for (const tree::Context& each : found->items()) {
        const std::optional<Value> value = read(each);
        if (!value) refuse(field, wanted);
        made.push_back(*value);
    }
    return made;
}

FERRY_INLINE std::vector<std::string> ConfigReader::texts(std::string_view field) {
    return list<std::string>(field, "a list of texts is needed", [](const tree::Context& each) {
        return each.is_text() ? std::optional(each.text()) : std::nullopt;
    });
}
FERRY_INLINE std::vector<std::int64_t> ConfigReader::integers(std::string_view field) {
    return list<std::int64_t>(field, "a list of integers is needed",
                              [](const tree::Context& each) { return each.as_integer(); });
}
FERRY_INLINE std::vector<double> ConfigReader::reals(std::string_view field) {
    return list<double>(field, "a list of numbers is needed", [](const tree::Context& each) -> std::optional<double> {
        if (const auto integer = each.as_integer()) return static_cast<double>(*integer);
        return each.as_real();
    });
}

FERRY_INLINE ConfigReader ConfigReader::section(std::string_view field) {
    const tree::Context* found = find(field);
    if (found == nullptr || !found->is_dict()) refuse(field, "a config of its own is needed");
    return ConfigReader(*found);
}

FERRY_INLINE void ConfigReader::expect(std::string_view field, const tree::Context& value) {
    const tree::Context* found = find(field);
    if (found != nullptr && *found != value) refuse(field, "only " + tree::python_repr(value) + " is supported");
}

FERRY_INLINE void ConfigReader::finish() const {
    for (const std::string_view field : detail::attention_fields) {
        const tree::Context* found = fields_.find(field);
        if (found != nullptr && !found->is_none() && *found != "sdpa" && *found != "eager")
            throw Error(ErrorKind::unsupported,
                        "config.json: '" + std::string(field) + "' is " + tree::python_repr(*found) +
                            ", which runs in kernels of its own that no exported program has",
                        {.hint = "use sdpa or eager, or remove the field"});
    }
    std::string unknown;
    for (std::size_t i = 0; i < fields_.keys().size(); ++i) {
        const std::string& field = fields_.keys()[i];
        const bool is_known = read_.contains(field) || fields_.items()[i].is_none() ||
                              std::find(detail::attention_fields.begin(), detail::attention_fields.end(), field) !=
                                  detail::attention_fields.end() ||
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
