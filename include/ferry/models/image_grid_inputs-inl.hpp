#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/image_grid_inputs.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/core/TensorAccessor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ferry::models {
namespace detail {

struct ImageGrid {
    std::int64_t times, rows, columns;

    [[nodiscard]] std::int64_t size() const { return times * rows * columns; }
};

[[nodiscard]] inline std::vector<ImageGrid> image_grids(const at::Tensor& image_grid_thw) {
    if (!image_grid_thw.defined()) return {};
    const at::Tensor numbers = image_grid_thw.to(at::kCPU, at::kLong);
    const auto each = numbers.accessor<std::int64_t, 2>();
    std::vector<ImageGrid> made;
    for (std::int64_t i = 0; i < each.size(0); ++i) made.push_back({each[i][0], each[i][1], each[i][2]});
    return made;
}

/// Where the tokens of one text are, one after the other; those of an image share what comes before and behind it.
class TokenPlaces {
public:
    TokenPlaces(at::TensorAccessor<std::int64_t, 3> positions, std::int64_t text)
        : positions_(positions), text_(text) {}

    void add_word(std::int64_t token) {
        set(token, 0, 0, 0);
        ++next_;
    }
    /// The tokens of an image, in order.
    void add_image(const std::vector<std::int64_t>& tokens, const ImageGrid& grid) {
        std::size_t token = 0;
        for (std::int64_t time = 0; time < grid.times; ++time)
            for (std::int64_t row = 0; row < grid.rows; ++row)
                for (std::int64_t column = 0; column < grid.columns; ++column) set(tokens[token++], time, row, column);
        next_ += std::max(grid.rows, grid.columns);
    }

private:
    void set(std::int64_t token, std::int64_t time, std::int64_t row, std::int64_t column) {
        positions_[0][text_][token] = next_ + time;
        positions_[1][text_][token] = next_ + row;
        positions_[2][text_][token] = next_ + column;
    }

    at::TensorAccessor<std::int64_t, 3> positions_;
    std::int64_t text_, next_ = 0;
};

[[noreturn]] inline void refuse_image_tokens() {
    throw Error(ErrorKind::invalid_input,
                "the tokens for images in 'input_ids' are not as many as 'image_grid_thw' says",
                {.hint = "take both from one call of the processor"});
}

}  // namespace detail

FERRY_INLINE void ImageGridInputs::check(const at::Tensor& image_grid_thw) const {
    if (image_grid_thw.dim() != 2 || image_grid_thw.size(1) != 3 || image_grid_thw.is_floating_point()) {
        std::ostringstream told;
        told << "'image_grid_thw' is of the sizes " << image_grid_thw.sizes()
             << ", and integers [images, 3] are needed";
        throw Error(ErrorKind::invalid_input, told.str());
    }
    for (const detail::ImageGrid& grid : detail::image_grids(image_grid_thw))
        if (std::min({grid.times, grid.rows, grid.columns}) < 1 || grid.rows % merged != 0 ||
            grid.columns % merged != 0)
            throw Error(ErrorKind::invalid_input, "'image_grid_thw' has an image of " + std::to_string(grid.rows) +
                                                      " x " + std::to_string(grid.columns) +
                                                      " patches, and multiples of " + std::to_string(merged) +
                                                      " are needed");
}

FERRY_INLINE void ImageGridInputs::check_patches(const at::Tensor& pixel_values, const at::Tensor& image_grid_thw) {
    std::int64_t count = 0;
    for (const detail::ImageGrid& grid : detail::image_grids(image_grid_thw)) count += grid.size();
    if (!pixel_values.defined() || (pixel_values.dim() == 2 && pixel_values.size(0) == count)) return;
    std::ostringstream told;
    told << "'pixel_values' are of the sizes " << pixel_values.sizes() << ", and 'image_grid_thw' says [" << count
         << ", elements of a patch]";
    throw Error(ErrorKind::invalid_input, told.str(), {.hint = "take both from one call of the processor"});
}

FERRY_INLINE at::Tensor ImageGridInputs::patch_positions(const at::Tensor& image_grid_thw) const {
    std::vector<at::Tensor> made;
    for (const detail::ImageGrid& grid : detail::image_grids(image_grid_thw)) {
        const at::Tensor rows = at::arange(grid.rows).unsqueeze(1).expand({grid.rows, grid.columns});
        const at::Tensor columns = at::arange(grid.columns).expand({grid.rows, grid.columns});
        // Patches that are one token are neighbours.
        const at::Tensor blocks = at::stack({rows, columns}, -1)
                                      .unflatten(1, {grid.columns / merged, merged})
                                      .unflatten(0, {grid.rows / merged, merged})
                                      .transpose(1, 2);
        made.push_back(blocks.reshape({-1, 2}).repeat({grid.times, 1}));
    }
    return at::cat(made).to(image_grid_thw.device());
}

FERRY_INLINE at::Tensor ImageGridInputs::patch_bounds(const at::Tensor& image_grid_thw) {
    std::vector<std::int64_t> bounds{0};
    for (const detail::ImageGrid& grid : detail::image_grids(image_grid_thw))
        for (std::int64_t time = 0; time < grid.times; ++time)
            bounds.push_back(bounds.back() + grid.rows * grid.columns);
    return at::tensor(bounds, at::TensorOptions(at::kInt)).to(image_grid_thw.device());
}

FERRY_INLINE at::Tensor ImageGridInputs::token_positions(const at::Tensor& input_ids, const at::Tensor& attention_mask,
                                                         const at::Tensor& image_grid_thw) const {
    const at::Tensor all_ids = input_ids.to(at::kCPU, at::kLong), all_real = attention_mask.to(at::kCPU, at::kBool);
    const at::Tensor made = at::zeros({3, all_ids.size(0), all_ids.size(1)}, at::TensorOptions(at::kLong));
    const auto ids = all_ids.accessor<std::int64_t, 2>();
    const auto is_real = all_real.accessor<bool, 2>();
    std::vector<detail::ImageGrid> grids = detail::image_grids(image_grid_thw);
    for (detail::ImageGrid& grid : grids) grid = {grid.times, grid.rows / merged, grid.columns / merged};
    std::size_t image = 0;
    for (std::int64_t text = 0; text < ids.size(0); ++text) {
        detail::TokenPlaces places(made.accessor<std::int64_t, 3>(), text);
        std::vector<std::int64_t> of_image;
        for (std::int64_t token = 0; token < ids.size(1); ++token) {
            if (!is_real[text][token]) continue;
            if (grids.empty() || ids[text][token] != image_token) {
                if (!of_image.empty()) detail::refuse_image_tokens();
                places.add_word(token);
                continue;
            }
            of_image.push_back(token);
            if (image == grids.size()) detail::refuse_image_tokens();
            if (static_cast<std::int64_t>(of_image.size()) < grids[image].size()) continue;
            places.add_image(std::exchange(of_image, {}), grids[image++]);
        }
        if (!of_image.empty()) detail::refuse_image_tokens();
    }
    if (image != grids.size()) detail::refuse_image_tokens();
    return made.to(input_ids.device());
}

FERRY_INLINE Inputs ImageGridInputs::operator()(Inputs inputs) const {
    for (const char* video : {"pixel_values_videos", "video_grid_thw"})
        if (inputs.contains(video))
            throw Error(ErrorKind::unsupported, "there are videos among the inputs, and this model sees images only",
                        {.hint = "leave '" + std::string(video) + "' out"});
    const auto given = [&](const char* name) {
        return inputs.contains(name) ? inputs.get<at::Tensor>(name) : at::Tensor();
    };
    const at::Tensor grid = given("image_grid_thw"), ids = given("input_ids");
    if (grid.defined()) {
        check(grid);
        check_patches(given("pixel_values"), grid);
        if (!inputs.contains("image_position_ids")) inputs.set("image_position_ids", patch_positions(grid));
        if (!inputs.contains("image_cu_seqlens")) inputs.set("image_cu_seqlens", patch_bounds(grid));
    }
    if (ids.defined() && !inputs.contains("position_ids")) {
        const at::Tensor mask = given("attention_mask");
        inputs.set("position_ids", token_positions(ids, mask.defined() ? mask : at::ones_like(ids), grid));
    }
    for (const char* spent : {"image_grid_thw", "mm_token_type_ids"}) inputs.erase(spent);
    return inputs;
}

}  // namespace ferry::models
