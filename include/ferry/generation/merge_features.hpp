#pragma once

#include <ferry/core/error.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

namespace ferry::generation {

/// Vectors of a text [batch, tokens, width] with those of images or sounds in the places of the tokens that stand for them, in order.
[[nodiscard]] inline at::Tensor with_features(const at::Tensor& embedded, const at::Tensor& ids, std::int64_t token,
                                              const at::Tensor& features) {
    const at::Tensor stands = ids == token;
    const std::int64_t places = stands.sum().item<std::int64_t>(), vectors = features.numel() / embedded.size(-1);
    if (places != vectors)
        throw Error(ErrorKind::invalid_input,
                    "the texts have " + std::to_string(places) + " tokens for images or sounds (" +
                        std::to_string(token) + "), and there are " + std::to_string(vectors) + " vectors of them",
                    {.hint = "each image and sound has as many tokens in the prompt as its encoder gives vectors"});
    return embedded.masked_scatter(stands.unsqueeze(-1).expand_as(embedded), features.to(embedded.scalar_type()));
}

}  // namespace ferry::generation
