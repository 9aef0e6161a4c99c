#pragma once

#include <ferry/generation/options.hpp>

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

namespace ferry::generation {

/// The next token of each text, by the scores of all: the likeliest, or by chance.
class TokenChoice {
public:
    explicit TokenChoice(GenerationOptions options);

    /// [batch, vocabulary] to [batch, 1]. Without `may_end` none is chosen that ends a text.
    [[nodiscard]] at::Tensor choose(const at::Tensor& logits, bool may_end);

private:
    GenerationOptions options_;
    std::optional<at::Generator> generator_;
};

}  // namespace ferry::generation

#ifndef FERRY_COMPILED
#include <ferry/generation/token_choice-inl.hpp>
#endif
