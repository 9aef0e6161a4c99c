#pragma once

#include <ferry/generation/cache.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace ferry {

struct GenerationOptions {
    std::int64_t max_new_tokens = 20;
    std::vector<std::int64_t>
        eos_token_ids{};  ///< a text ends with one of them; none: it does not end before it is long enough
    std::int64_t pad_token_id = 0;              ///< behind the end of a text
    bool do_sample = false;                     ///< false: always the likeliest token
    double temperature = 1;
    std::int64_t top_k = 0;  ///< 0: among all
    double top_p = 1;
    std::uint64_t seed = 0;
};

namespace generation {

/// One text after the other, token by token.
class TokenLoop {
public:
    TokenLoop(at::Tensor ids, at::Tensor attention_mask, const GenerationOptions& options);

    [[nodiscard]] bool is_done() const;
    /// What forward takes next: all tokens at first, then the last one.
    [[nodiscard]] at::Tensor input_ids() const;
    [[nodiscard]] at::Tensor attention_mask() const { return mask_; }
    [[nodiscard]] at::Tensor position_ids() const;
    void add(const at::Tensor& logits);
    [[nodiscard]] at::Tensor tokens() const { return ids_; }

private:
    [[nodiscard]] at::Tensor choose(const at::Tensor& logits);

    at::Tensor ids_, mask_, ended_;
    GenerationOptions options_;
    std::int64_t made_ = 0;
    std::optional<at::Generator> generator_;
};

}  // namespace generation

/// The tokens given and those that the model goes on with, [batch, tokens]. Texts of different lengths are padded on their left, where
/// the mask has zeros.
template <class Model>
[[nodiscard]] at::Tensor generate(Model& model, const at::Tensor& input_ids, const at::Tensor& attention_mask,
                                  const GenerationOptions& options = {}) {
    const at::NoGradGuard no_grad;
    generation::TokenLoop loop(input_ids, attention_mask, options);
    DynamicCache cache;
    while (!loop.is_done()) {
        auto output = model.forward(loop.input_ids(), loop.attention_mask(), loop.position_ids(), std::move(cache));
        cache = std::move(output.past_key_values);
        loop.add(output.logits);
    }
    return loop.tokens();
}

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/generation/generate-inl.hpp>
#endif
