#pragma once

#include <array>
#include <string_view>

namespace ferry::generation {

/// What a language model may take beside texts.
struct Modality {
    std::string_view encoder, input;                ///< the part that reads it, and what that takes
    std::string_view runner_name;                   ///< what ExecuTorch's runners call it
    std::array<std::string_view, 2> token_fields;   ///< of config.json: which token stands for a vector of it
    std::array<std::string_view, 3> projectors;     ///< parts that make vectors of texts of it
};

inline constexpr std::array<Modality, 2> modalities{Modality{"image_encoder",
                                                             "pixel_values",
                                                             "vision",
                                                             {"image_token_id", "image_token_index"},
                                                             {"multi_modal_projector", "connector", "embed_vision"}},
                                                    Modality{"audio_encoder",
                                                             "input_features",
                                                             "audio",
                                                             {"audio_token_id", "audio_token_index"},
                                                             {"multi_modal_projector", "connector", "embed_audio"}}};

}  // namespace ferry::generation
