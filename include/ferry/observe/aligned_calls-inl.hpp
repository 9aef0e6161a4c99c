#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/observe/aligned_calls.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ferry::observe {

[[nodiscard]] inline bool is_constant(const Leaf& leaf) { return !leaf.is_tensor() && !leaf.is_none(); }

[[nodiscard]] inline std::string text_of(const Leaf& leaf) {
    if (const auto* flag = leaf.get_if<bool>()) return *flag ? "true" : "false";
    if (const auto* number = leaf.get_if<std::int64_t>()) return std::to_string(*number);
    if (const auto* number = leaf.get_if<double>()) return tree::detail::python_float(*number);
    if (const auto* text = leaf.get_if<std::string>()) return tree::detail::python_string(*text);
    return leaf.is_absent() ? "None" : "a tensor";
}

[[nodiscard]] inline std::string text_of(const Inputs& constants) {
    std::string text;
    for (const auto& [name, value] : constants)
        text.append(text.empty() ? "" : ", ").append(name).append(": ").append(text_of(value.leaves[0]));
    return "{" + text + "}";
}

[[nodiscard]] inline std::string names_of(const Inputs& inputs) {
    std::string names;
    for (const auto& [name, value] : inputs) names.append(names.empty() ? "" : ", ").append(name);
    return names.empty() ? "none" : names;
}

FERRY_INLINE AlignedCalls::AlignedCalls(const std::vector<ObservedCall>& calls) {
    if (calls.empty())
        throw Error(ErrorKind::invalid_input, "no inputs were captured",
                    {.hint = "call the model while the observer's scope is there"});
    std::vector<std::size_t> counts;
    counts.reserve(calls.size());
    for (const ObservedCall& call : calls) counts.push_back(call.inputs.spec().num_leaves());
    fullest_ = &calls[static_cast<std::size_t>(algo::max_element(counts) - counts.begin())];
    while (calls[first_full_].inputs.size() != fullest_->inputs.size()) ++first_full_;
    spec_ = fullest_->inputs.spec();
    paths_ = spec_.leaf_paths();
    for (const auto& [name, value] : fullest_->inputs) input_of_.insert(input_of_.end(), value.leaves.size(), name);
    for (const ObservedCall& call : calls) leaves_.push_back(arrange(call.inputs, call.constants));
    for (const std::vector<Leaf>& leaves : leaves_) check_inside(leaves);
}

FERRY_INLINE std::vector<at::Tensor> AlignedCalls::tensors_at(std::size_t leaf) const {
    std::vector<at::Tensor> found;
    for (const std::vector<Leaf>& leaves : leaves_)
        if (!leaves[leaf].is_absent() && leaves[leaf].is_tensor()) found.push_back(leaves[leaf].tensor());
    return found;
}

FERRY_INLINE void AlignedCalls::check_names(const Inputs& inputs) const {
    for (const auto& [name, value] : inputs)
        if (fullest_->inputs.find(name) == nullptr)
            throw Error(ErrorKind::invalid_input,
                        "at least one call of the observed model must have all the named arguments: one has " +
                            names_of(inputs) + ", and the one with the most tensors " + names_of(fullest_->inputs),
                        {.hint = "say in value_if_missing what stands for an input that never meets the others",
                         .where = {.path = name}});
}

FERRY_INLINE void AlignedCalls::check_constants(const Inputs& constants) const {
    const Inputs& others = fullest_->constants;
    const bool agree = constants.size() == others.size() && algo::all_of(constants, [&](const auto& item) {
                           const Tree* other = others.find(item.first);
                           return other != nullptr && *other == item.second;
                       });
    if (!agree)
        throw Error(
            ErrorKind::invalid_input,
            "two calls were made with different constant values: " + text_of(constants) + " != " + text_of(others),
            {.hint = "an export has one value for each; observe calls that agree"});
}

FERRY_INLINE void AlignedCalls::check_inside(const std::vector<Leaf>& leaves) const {
    const std::vector<Leaf> others = fullest_->inputs.tree().leaves;
    for (std::size_t i = 0; i < leaves.size(); ++i)
        if (!leaves[i].is_absent() && (is_constant(leaves[i]) || is_constant(others[i])) && !(leaves[i] == others[i]))
            throw Error(ErrorKind::invalid_input,
                        "two calls were made with different constant values: " + text_of(leaves[i]) +
                            " != " + text_of(others[i]),
                        {.where = {.path = paths_[i]}});
}

FERRY_INLINE std::vector<Leaf> AlignedCalls::arrange(const Inputs& inputs, const Inputs& constants) {
    check_names(inputs);
    check_constants(constants);
    std::vector<Leaf> leaves;
    for (const auto& [name, form] : fullest_->inputs) {
        const Tree* given = inputs.find(name);
        if (given == nullptr || given->leaves.empty()) {
            leaves.insert(leaves.end(), form.leaves.size(), Leaf());
            continue;
        }
        const std::size_t count = given->leaves.size(), before = counts_.emplace(name, count).first->second;
        if (count != before)
            throw Error(ErrorKind::invalid_input,
                        "the argument '" + name + "' has " + std::to_string(count) + " tensors but previously got " +
                            std::to_string(before) + " tensors; inference is impossible in that case",
                        {.where = {.path = name}});
        if (count == form.leaves.size() && !given->same_structure(form))
            throw Error(ErrorKind::invalid_input, "an argument is nested in different ways in two calls",
                        {.where = {.path = name}});
        leaves.insert(leaves.end(), given->leaves.begin(), given->leaves.end());
    }
    return leaves;
}

FERRY_INLINE std::vector<Leaf> AlignedCalls::align(const Inputs& inputs, const Inputs& constants) {
    std::vector<Leaf> leaves = arrange(inputs, constants);
    check_inside(leaves);
    return leaves;
}

}  // namespace ferry::observe
