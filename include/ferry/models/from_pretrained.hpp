#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/models/any_model.hpp>
#include <ferry/models/checkpoint.hpp>
#include <ferry/models/config_reader.hpp>
#include <ferry/models/encoder_decoders.hpp>
#include <ferry/models/encoders.hpp>
#include <ferry/models/language_models.hpp>
#include <ferry/models/multimodal.hpp>
#include <ferry/models/vision.hpp>

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace ferry {
namespace models {

/// What a checkpoint may be of; users add theirs: `AutoModel<concat_t<models::all_models, type_list<MyModel>>>`. Each has `Model`, the
/// `architecture` that config.json names it by, and `options(ConfigReader&)`, which the model is made from.
using all_models = concat_t<language_models, encoder_decoder_models, multimodal_models, encoder_models, vision_models>;

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

/// A model of one kind, in its own type: `from_pretrained<models::Llama>("folder")`.
template <class Kind>
[[nodiscard]] std::shared_ptr<typename Kind::Model> from_pretrained(const std::filesystem::path& folder,
                                                                    std::optional<at::ScalarType> dtype = {}) {
    return models::from_checkpoint<Kind>(models::Checkpoint(folder), dtype);
}

/// Finds the model by what the checkpoint says that it is.
template <class Kinds = models::all_models>
struct AutoModel;
template <class... Kinds>
struct AutoModel<type_list<Kinds...>> {
    [[nodiscard]] static AnyModel from_pretrained(const std::filesystem::path& folder,
                                                  std::optional<at::ScalarType> dtype = {}) {
        const models::Checkpoint checkpoint(folder);
        const std::string name = checkpoint.architecture();
        std::optional<AnyModel> made;
        const auto found = [&]<class Kind>(const Kind*) {
            if (Kind::architecture == name) made = models::from_checkpoint<Kind>(checkpoint, dtype);
            return made.has_value();
        };
        if ((found(static_cast<const Kinds*>(nullptr)) || ...)) return *made;
        std::string known;
        (known.append(known.empty() ? "" : ", ").append(Kinds::architecture), ...);
        throw Error(ErrorKind::unsupported, "there is no model for checkpoints of '" + name + "'",
                    {.hint = "there are: " + known});
    }
};

}  // namespace ferry
