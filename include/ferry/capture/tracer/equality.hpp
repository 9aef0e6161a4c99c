#pragma once

#include <ferry/capture/boxed_tensors.hpp>
#include <ferry/capture/op_info.hpp>
#include <ferry/capture/tracer/recording.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Whether two tensors are equal depends on their values, which a capture does not know. But libtorch's multi_head_attention_forward
/// asks it of query, key and value only to merge products, and computes the same either way. So the model gets an answer, and what
/// it does next decides: where it goes on to the weights of an attention the answer may stand, and elsewhere it must follow from
/// what is known, with a check in the graph where that includes sizes.
namespace ferry::capture {

inline void answer_equality(Recording& recording, OpInfo& info, torch::jit::Stack& stack) {
    const auto values = detail::last(stack, info.op.schema().arguments().size());
    const CallArguments arguments = recording.read_arguments(info, values);
    const EqualityQuestion question{*arguments.values[0].get_if<Value>(), *arguments.values[1].get_if<Value>()};
    recording.questions().push_back(question);
    stack.resize(stack.size() - values.size());
    stack.emplace_back(question.answer());
}

namespace detail {

/// Its stacked weights for query, key and value come right after the questions, whole or the rows for the query. They have a name
/// if the attention is part of the model, and none if it is only used by it.
[[nodiscard]] inline bool reads_attention_weights(Recording& recording, const OpInfo& next,
                                                  std::span<const c10::IValue> arguments, const at::Tensor& asked) {
    const bool whole = next.name == "aten::t" || next.name == "aten::linear";
    if ((!whole && next.name != "aten::slice.Tensor") || asked.dim() == 0) return false;
    const at::Tensor weight = arguments[next.name == "aten::linear" ? 1 : 0].toTensor();
    const std::int64_t features = asked.size(-1);
    if (weight.dim() != 2 || weight.size(0) != 3 * features || weight.size(1) != features) return false;
    if (!whole && !(arguments[1] == c10::IValue(0) && arguments[3] == c10::IValue(features))) return false;
    const ModuleNames* const names = recording.settings().names;
    const std::string_view name = names != nullptr ? names->name_of(weight) : std::string_view();
    if (!name.empty()) return name == "in_proj_weight";
    const std::uint32_t known = recording.records().find(weight);
    if (known == no_record) return true;
    const Value original = recording.records()[known].original;
    return original && algo::find(recording.trace().inputs, original) == recording.trace().inputs.end();
}

inline void settle(Recording& recording, const EqualityQuestion& question) {
    const at::Tensor& self = recording.value(question.self).tensor;
    const at::Tensor& other = recording.value(question.other).tensor;
    if (question.answer() && !self.is_floating_point() && !self.is_complex()) return;  // a NaN is not equal to itself
    if (self.dim() != other.dim()) return;
    for (std::size_t dim = 0; dim < self.sizes().size(); ++dim)
        if (const std::int64_t apart = self.sizes()[dim] - other.sizes()[dim]; apart != 0) {
            recording.push({.name = size_check,
                            .arguments = {apart, 0, "ne",
                                          "the program was captured with tensors that differ in dimension " +
                                              std::to_string(dim) + " where the model asks whether they are equal"}});
            return;
        }
    throw Error(ErrorKind::unsupported, "forward asks for a number that depends on the values of a tensor",
                {.hint = "a branch on it is written with ferry::cond", .where = {.op = "aten::equal"}});
}

}  // namespace detail

/// The model is done, or at least with what it has asked for.
inline void settle_questions(Recording& recording) {
    for (const EqualityQuestion& question : std::exchange(recording.questions(), {}))
        detail::settle(recording, question);
}

/// To be called with the op that the model calls next.
inline void settle_questions(Recording& recording, const OpInfo& next, std::span<const c10::IValue> arguments) {
    std::erase_if(recording.questions(), [&](const EqualityQuestion& question) {
        return detail::reads_attention_weights(recording, next, arguments, recording.value(question.self).tensor);
    });
    settle_questions(recording);
}

}  // namespace ferry::capture
