#pragma once

#include <ferry/generation/options.hpp>
#include <ferry/models/any_model.hpp>
#include <ferry/tree/inputs.hpp>

#include <optional>
#include <string_view>
#include <utility>

namespace ferry::generation {

/// What generate drives, call by call: a model, or the parts that were exported of it.
class Generative {
public:
    Generative() = default;
    Generative(const Generative&) = delete;
    Generative& operator=(const Generative&) = delete;
    virtual ~Generative() = default;

    /// Whether forward has a parameter of that name.
    [[nodiscard]] virtual bool takes(std::string_view parameter) const = 0;
    /// Adds what the first call needs beyond what the user gives: an empty cache, what an encoder makes of the inputs.
    virtual void begin(Inputs& inputs, const GenerationOptions& options) = 0;
    /// Outputs by name, "logits" among them. An output with the name of a parameter is what the next call gets for it.
    [[nodiscard]] virtual Inputs forward(const Inputs& inputs) = 0;
};

/// A model that is there as a module.
class GenerativeModel final : public Generative {
public:
    explicit GenerativeModel(AnyModel model) : model_(std::move(model)) {}

    [[nodiscard]] bool takes(std::string_view parameter) const override { return model_.takes(parameter); }
    void begin(Inputs& inputs, const GenerationOptions& options) override;
    [[nodiscard]] Inputs forward(const Inputs& inputs) override;

private:
    AnyModel model_;
};

}  // namespace ferry::generation

#ifndef FERRY_COMPILED
#include <ferry/generation/generative-inl.hpp>
#endif
