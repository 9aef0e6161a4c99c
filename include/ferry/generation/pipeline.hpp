#pragma once

#include <ferry/core/error.hpp>
#include <ferry/generation/cache.hpp>
#include <ferry/generation/causal_output.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ferry::generation {

/// Runs an exported part: tensors in the order of its inputs, and of its outputs. A program, a session of ONNX Runtime or one of
/// ExecuTorch's runtime behind a lambda.
using Part = std::function<std::vector<at::Tensor>(const std::vector<at::Tensor>&)>;

/// The parts of a language model, as one again: `generate(pipeline, ids, mask)` drives them through the whole loop.
class Pipeline {
public:
    Pipeline(Part prefill, Part decode) : prefill_(std::move(prefill)), decode_(std::move(decode)) {}

    [[nodiscard]] CausalOutput<DynamicCache> forward(const at::Tensor& input_ids, const at::Tensor& attention_mask,
                                                     const at::Tensor& position_ids, const DynamicCache& cache) const {
        std::vector<at::Tensor> given{input_ids, attention_mask, position_ids};
        given.insert(given.end(), cache.keys.begin(), cache.keys.end());
        given.insert(given.end(), cache.values.begin(), cache.values.end());
        std::vector<at::Tensor> found = (cache.keys.empty() ? prefill_ : decode_)(given);
        if (found.size() % 2 != 1)
            throw Error(ErrorKind::invalid_input, "a part gives " + std::to_string(found.size()) +
                                                      " tensors, and not logits with keys and values of each layer");
        const auto middle = found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2 + 1);
        return {found[0], {.keys = {found.begin() + 1, middle}, .values = {middle, found.end()}}};
    }

private:
    Part prefill_, decode_;
};

}  // namespace ferry::generation
