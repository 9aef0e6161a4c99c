#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/generation/merge_features.hpp>
#include <ferry/generation/modality.hpp>
#include <ferry/generation/runner.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::generation {

FERRY_INLINE Runner::Runner(RunnerProgram program) : program_(std::move(program)) {
    if (has("forward") || (has("text_decoder") && (has("encoder") || has("token_embedding")))) return;
    throw Error(ErrorKind::invalid_input,
                "a runner needs the method 'forward', or 'text_decoder' with 'encoder' or 'token_embedding'",
                {.hint = "export the model for a task that generates"});
}

FERRY_INLINE bool Runner::takes(std::string_view parameter) const {
    if (parameter == "decoder_input_ids" || parameter == "encoder_hidden_states") return has("encoder");
    return parameter == "input_ids" && !has("encoder");
}

FERRY_INLINE void Runner::begin(Inputs& inputs, const GenerationOptions&) {
    place_ = 0;
    if (!has("encoder") || inputs.contains("encoder_hidden_states")) return;
    for (const char* name : {"input_ids", "input_features"})
        if (inputs.contains(name)) {
            inputs.set("encoder_hidden_states", run("encoder", {inputs.get<at::Tensor>(name)}));
            return;
        }
    throw Error(ErrorKind::invalid_input, "there is nothing for the encoder",
                {.hint = "give 'input_ids', or 'input_features' of a sound"});
}

FERRY_INLINE Inputs Runner::forward(const Inputs& inputs) {
    at::Tensor logits;
    if (has("encoder")) {
        const auto encoded = inputs.get<at::Tensor>("encoder_hidden_states");
        logits = decode(inputs.get<at::Tensor>("decoder_input_ids"), [&](const at::Tensor& ids, const at::Tensor& at) {
            return run("text_decoder", {ids, encoded, at});
        });
    } else if (has("token_embedding")) {
        logits = decode(embedded(inputs), [&](const at::Tensor& vectors, const at::Tensor& at) {
            return run("text_decoder", {vectors, at});
        });
    } else {
        logits = decode(inputs.get<at::Tensor>("input_ids"),
                        [&](const at::Tensor& ids, const at::Tensor& at) { return run("forward", {ids, at}); });
    }
    return ferry::inputs("logits", logits);
}

FERRY_INLINE at::Tensor Runner::run(std::string_view method, const std::vector<at::Tensor>& inputs) const {
    const std::vector<at::Tensor> found = program_.methods.at(std::string(method)).run(inputs);
    if (found.empty())
        throw Error(ErrorKind::invalid_input, "the method '" + std::string(method) + "' gives no tensor");
    return found[0];
}

FERRY_INLINE at::Tensor Runner::decode(const at::Tensor& all,
                                       const std::function<at::Tensor(const at::Tensor&, const at::Tensor&)>& call) {
    if (all.size(0) != 1)
        throw Error(ErrorKind::invalid_input,
                    "the file takes one text at a time, and these are " + std::to_string(all.size(0)));
    const std::int64_t count = all.size(1), step = std::max<std::int64_t>(program_.max_tokens_at_once, 1);
    if (place_ + count > program_.max_seq_len)
        throw Error(ErrorKind::invalid_input,
                    "a text of " + std::to_string(place_ + count) + " tokens is too long: the file has room for " +
                        std::to_string(program_.max_seq_len),
                    {.hint = "export it with a longer --max-seq-len"});
    at::Tensor last;
    for (std::int64_t done = 0; done < count; done += step) {
        const std::int64_t some = std::min(step, count - done);
        last = call(all.narrow(1, done, some), at::arange(place_, place_ + some, at::TensorOptions(at::kLong)));
        place_ += some;
    }
    return last;
}

FERRY_INLINE at::Tensor Runner::embedded(const Inputs& inputs) const {
    const auto ids = inputs.get<at::Tensor>("input_ids");
    std::vector<at::Tensor> some;
    for (const at::Tensor& each : ids.split(std::max<std::int64_t>(program_.max_tokens_at_once, 1), 1))
        some.push_back(run("token_embedding", {each}));
    at::Tensor made = at::cat(some, 1);
    for (const Modality& modality : modalities) {
        const std::string encoder = std::string(modality.runner_name) + "_encoder";
        if (!has(encoder) || !inputs.contains(modality.input)) continue;
        std::vector<at::Tensor> features;
        for (const at::Tensor& each : inputs.get<at::Tensor>(modality.input).split(1, 0))
            features.push_back(run(encoder, {each}));
        made = with_features(made, ids, program_.placeholders.of(modality), at::cat(features, 0));
    }
    return made;
}

}  // namespace ferry::generation
