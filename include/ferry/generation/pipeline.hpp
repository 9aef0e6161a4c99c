#pragma once

#include <ferry/generation/generative.hpp>
#include <ferry/generation/modality.hpp>
#include <ferry/generation/options.hpp>
#include <ferry/generation/part.hpp>
#include <ferry/tree/inputs.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::generation {

/// Which tokens of a prompt stand for something else.
struct PlaceholderTokens {
    std::int64_t image = -1, audio = -1;

    [[nodiscard]] std::int64_t& of(const Modality& modality) {
        return modality.input == "pixel_values" ? image : audio;
    }
    [[nodiscard]] std::int64_t of(const Modality& modality) const { return PlaceholderTokens(*this).of(modality); }
};

/// What the first call takes, of what the user gives: where a model has `prepare_inputs`, that, or what it is made of.
using PrepareInputs = std::function<Inputs(Inputs)>;

/// The exported parts of a generative model, as one again: `generate(pipeline, inputs)` drives them through the whole loop. Parts go by
/// the names that export_for_generation gives them. The first output of a part with logits is the logits; those behind are what the
/// next call takes for inputs that have none of the names known to generate.
class Pipeline final : public Generative {
public:
    explicit Pipeline(std::map<std::string, Part> parts, PlaceholderTokens placeholders = {},
                      PrepareInputs prepare = {});

    [[nodiscard]] bool takes(std::string_view parameter) const override;
    void begin(Inputs& inputs, const GenerationOptions& options) override;
    [[nodiscard]] Inputs forward(const Inputs& inputs) override;

private:
    [[nodiscard]] bool has(std::string_view part) const { return parts_.contains(std::string(part)); }
    [[nodiscard]] std::vector<at::Tensor> run(std::string_view part, const Inputs& inputs) const;
    /// A part with one input.
    [[nodiscard]] at::Tensor run_one(std::string_view part, const at::Tensor& given) const;
    /// The prompt with what images and sounds are to the language model in the place of their tokens.
    [[nodiscard]] at::Tensor merged(const Inputs& inputs) const;
    [[nodiscard]] std::vector<at::Tensor> run_multimodal(Inputs inputs) const;

    std::map<std::string, Part> parts_;
    PlaceholderTokens placeholders_;
    PrepareInputs prepare_;
    bool is_first_ = true;
};

}  // namespace ferry::generation

#ifndef FERRY_COMPILED
#include <ferry/generation/pipeline-inl.hpp>
#endif
