#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/blocks/patch_embedding.hpp>
#include <ferry/models/config_reader.hpp>

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::models {
namespace detail {

/// One number for both, or a list of two.
[[nodiscard]] inline PatchOptions::Size read_size(ConfigReader& config, std::string_view field,
                                                  const PatchOptions::Size& otherwise) {
    const tree::Context* found = config.find(field);
    if (found == nullptr) return otherwise;
    const std::vector<std::int64_t> sizes =
        found->is_list() ? config.integers(field) : std::vector<std::int64_t>(2, config.integer(field));
    if (sizes.size() != 2 || sizes[0] <= 0 || sizes[1] <= 0)
        throw Error(ErrorKind::bad_file,
                    "config.json: '" + std::string(field) + "' is " + tree::python_repr(*found) + ", which is no size");
    return {sizes[0], sizes[1]};
}

}  // namespace detail

FERRY_INLINE PatchOptions PatchOptions::read(ConfigReader& config, const PatchOptions& otherwise) {
    return {.channels = config.integer("num_channels", otherwise.channels),
            .image = detail::read_size(config, "image_size", otherwise.image),
            .patch = detail::read_size(config, "patch_size", otherwise.patch)};
}

FERRY_INLINE void check_channels(const at::Tensor& pixel_values, const PatchOptions& options) {
    if (pixel_values.dim() == 4 && pixel_values.size(1) == options.channels) return;
    std::ostringstream told;
    told << "pixel_values are of the sizes " << pixel_values.sizes() << ", and the model takes [batch, "
         << options.channels << ", rows, columns]";
    throw Error(ErrorKind::invalid_input, told.str());
}

FERRY_INLINE void check_image_size(const at::Tensor& pixel_values, const PatchOptions& options) {
    check_channels(pixel_values, options);
    const std::int64_t rows = pixel_values.size(2), columns = pixel_values.size(3);
    if (rows == options.image[0] && columns == options.image[1]) return;
    std::ostringstream told;
    told << "the images have " << rows << " rows and " << columns << " columns, and the model is made for "
         << options.image[0] << " and " << options.image[1];
    throw Error(ErrorKind::invalid_input, told.str(), {.hint = "resize them to what config.json has as 'image_size'"});
}

}  // namespace ferry::models
