#pragma once

#include <ferry/core/error.hpp>
#include <ferry/generation/cache.hpp>
#include <ferry/generation/generate.hpp>
#include <ferry/tree/inputs.hpp>

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ferry {

/// The parts of a generative model, in the order in which they run: what forward takes there.
using GenerationParts = std::vector<std::pair<std::string, Inputs>>;

namespace generation::detail {

/// Stands before a model and keeps what its forward is given.
template <class Model>
struct RecordedModel {
    Model& model;
    std::vector<Inputs> calls{};

    [[nodiscard]] auto forward(const at::Tensor& ids, const at::Tensor& mask, const at::Tensor& positions,
                               DynamicCache cache) {
        calls.push_back(
            inputs("input_ids", ids, "attention_mask", mask, "position_ids", positions, "past_key_values", cache));
        return model.forward(ids, mask, positions, std::move(cache));
    }
};

}  // namespace generation::detail

/// Generates two tokens: the first call of forward takes the whole prompt and no cache, the second one token and a cache.
template <class Model>
[[nodiscard]] GenerationParts decompose_prefill_decode(Model& model, const at::Tensor& input_ids,
                                                       const at::Tensor& attention_mask) {
    generation::detail::RecordedModel<Model> recorded{model};
    static_cast<void>(generate(recorded, input_ids, attention_mask, {.max_new_tokens = 2}));
    return {{"prefill", std::move(recorded.calls.at(0))}, {"decode", std::move(recorded.calls.at(1))}};
}

/// Each part of a generative model through an exporter, all with one config; an error names the part.
template <class Exporter, class Model, class Config>
[[nodiscard]] auto export_for_generation(const Exporter& exporter, const std::shared_ptr<Model>& model,
                                         const at::Tensor& input_ids, const at::Tensor& attention_mask,
                                         const Config& config) {
    using Exported = decltype(exporter.export_model(model, Inputs(), config));
    std::vector<std::pair<std::string, Exported>> made;
    for (auto& [name, part] : decompose_prefill_decode(*model, input_ids, attention_mask)) try {
            made.emplace_back(name, exporter.export_model(model, std::move(part), config));
        } catch (const Error& error) {
            throw Error(error.kind(), "the export failed on the part '" + name + "': " + error.message(),
                        {.hint = error.hint(), .where = error.where()});
        }
    return made;
}

}  // namespace ferry
