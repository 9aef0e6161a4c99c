#pragma once

#include <ferry/models/config_reader.hpp>
#include <ferry/models/decoder.hpp>

namespace ferry::models {

/// Of the language model inside of another model: the config's `text_config` says what it is.
[[nodiscard]] DecoderOptions text_options(ConfigReader& config);

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/text_options-inl.hpp>
#endif
