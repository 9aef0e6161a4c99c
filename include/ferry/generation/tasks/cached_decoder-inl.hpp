#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/generation/encode.hpp>
#include <ferry/generation/tasks/cached_decoder.hpp>

#include <ATen/ops/ones.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ferry::generation {
namespace detail {

inline constexpr std::string_view cache_parameter = "past_key_values";

[[nodiscard]] inline Tree static_cache_of(const AnyModel& model, std::int64_t room) {
    std::optional<Tree> cache = model.static_cache(/*batch=*/1, room);
    if (!cache || !model.takes(cache_parameter))
        throw Error(ErrorKind::unsupported,
                    std::string(model.type()) + " has no static cache, which a program that keeps its cache needs",
                    {.hint = "export it without a task: its cache is then an input and an output"});
    return *std::move(cache);
}

}  // namespace detail

FERRY_INLINE CachedDecoder::CachedDecoder(AnyModel model, std::int64_t room)
    : model_(std::move(model)), room_(room), cache_(*this, detail::static_cache_of(model_, room)) {
    register_module("model", model_.module());
}

FERRY_INLINE at::Tensor CachedDecoder::run(Inputs given, const at::Tensor& cache_position, std::int64_t masked) const {
    given.set(detail::cache_parameter, cache_.before(cache_position));
    if (model_.takes("attention_mask")) given.set("attention_mask", at::ones({1, masked}, cache_position.options()));
    if (model_.takes("position_ids")) given.set("position_ids", cache_position.unsqueeze(0));
    return first_tensor(model_(given), model_.type());
}

FERRY_INLINE TextDecoder::TextDecoder(AnyModel language_model, std::optional<AnyModel> head, std::int64_t room)
    : CachedDecoder(std::move(language_model), room), head_(std::move(head)) {
    if (head_) register_module("lm_head", head_->module());
}

FERRY_INLINE at::Tensor TextDecoder::forward(const at::Tensor& inputs_embeds, const at::Tensor& cache_position) const {
    const at::Tensor x = run(inputs("inputs_embeds", inputs_embeds), cache_position, room());
    return head_ ? run_on(*head_, x) : x;
}

FERRY_INLINE at::Tensor SourceDecoder::forward(const at::Tensor& decoder_input_ids,
                                               const at::Tensor& encoder_hidden_states,
                                               const at::Tensor& cache_position) const {
    return run(inputs("decoder_input_ids", decoder_input_ids, "encoder_hidden_states", encoder_hidden_states),
               cache_position, encoder_hidden_states.size(1));
}

}  // namespace ferry::generation
