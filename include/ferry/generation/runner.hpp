#pragma once

#include <ferry/generation/generative.hpp>
#include <ferry/generation/options.hpp>
#include <ferry/generation/part.hpp>
#include <ferry/generation/pipeline.hpp>
#include <ferry/tree/inputs.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::generation {

/// The methods of a file that was exported for a task, and what it says of them.
struct RunnerProgram {
    std::map<std::string, Part> methods;
    std::int64_t max_seq_len = 0;         ///< tokens that the cache has room for
    std::int64_t max_tokens_at_once = 1;  ///< that a decoder takes at a call
    PlaceholderTokens placeholders{};
};

/// Drives such a file, one text at a time: a prompt at once if its methods take several tokens, else token by token. They keep the cache
/// themselves, so that a new text begins where the first place is 0.
class Runner final : public Generative {
public:
    explicit Runner(RunnerProgram program);

    [[nodiscard]] bool takes(std::string_view parameter) const override;
    void begin(Inputs& inputs, const GenerationOptions& options) override;
    [[nodiscard]] Inputs forward(const Inputs& inputs) override;

private:
    [[nodiscard]] bool has(std::string_view method) const { return program_.methods.contains(std::string(method)); }
    [[nodiscard]] at::Tensor run(std::string_view method, const std::vector<at::Tensor>& inputs) const;
    /// Of as many tokens at a time as a method takes, dimension 1 of `all`; the last result.
    [[nodiscard]] at::Tensor decode(const at::Tensor& all,
                                    const std::function<at::Tensor(const at::Tensor&, const at::Tensor&)>& call);
    [[nodiscard]] at::Tensor embedded(const Inputs& inputs) const;

    RunnerProgram program_;
    std::int64_t place_ = 0;  // of the next token
};

}  // namespace ferry::generation

#ifndef FERRY_COMPILED
#include <ferry/generation/runner-inl.hpp>
#endif
