#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/models/checkpoint.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/llama.hpp>
#include <ferry/models/mistral.hpp>
#include <ferry/models/qwen.hpp>

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace ferry {
namespace models {

/// Language models that a checkpoint may be of; users add theirs: `AutoModel<concat_t<language_models, type_list<MyModel>>>`. Each has
/// `Model`, the `architecture` that config.json names it by, and `options(ConfigReader&)`, which the model is made from.
using language_models = type_list<Llama, Mistral, Qwen2, Qwen3>;

/// A model of one kind from a checkpoint's folder.
template <class Kind>
[[nodiscard]] std::shared_ptr<typename Kind::Model> from_checkpoint(const Checkpoint& checkpoint,
                                                                    std::optional<at::ScalarType> dtype = {}) {
    ConfigReader config(checkpoint.config());
    auto options = Kind::options(config);
    config.finish();
    const Weights weights = checkpoint.weights(dtype);
    auto model = std::make_shared<typename Kind::Model>(weights, std::move(options));
    weights.finish();
    model->eval();
    return model;
}

}  // namespace models

/// Finds the model by what the checkpoint says that it is.
template <class Kinds = models::language_models>
struct AutoModel;
template <class First, class... Others>
struct AutoModel<type_list<First, Others...>> {
    using Model = typename First::Model;

    [[nodiscard]] static std::shared_ptr<Model> from_pretrained(const std::filesystem::path& folder,
                                                                std::optional<at::ScalarType> dtype = {}) {
        const models::Checkpoint checkpoint(folder);
        const std::string name = checkpoint.architecture();
        std::shared_ptr<Model> made;
        const auto found = [&]<class Kind>(const Kind*) {
            if (Kind::architecture != name) return false;
            made = models::from_checkpoint<Kind>(checkpoint, dtype);
            return true;
        };
        if ((found(static_cast<const First*>(nullptr)) || ... || found(static_cast<const Others*>(nullptr))))
            return made;
        std::string known(First::architecture);
        (known.append(", ").append(Others::architecture), ...);
        throw Error(ErrorKind::unsupported, "there is no model for checkpoints of '" + name + "'",
                    {.hint = "there are: " + known});
    }
};

}  // namespace ferry
