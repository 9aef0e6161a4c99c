#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/models/image_grid_inputs.hpp>
#include <ferry/preparers/grid_thw.hpp>
#include <ferry/preparers/rope_index.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/core/TensorAccessor.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ferry::models {
namespace detail {

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
    void add_image(const std::vector<std::int64_t>& tokens, const PatchCounts& grid) {
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

FERRY_INLINE at::Tensor ImageGridInputs::rope_index(const Inputs& inputs) const {
    const auto given = [&](const char* name) {
        return inputs.contains(name) ? inputs.get<at::Tensor>(name) : at::Tensor();
    };
    const at::Tensor input_ids = given("input_ids"), sizes = given("image_grid_thw");
    const at::Tensor mask = given("attention_mask").defined() ? given("attention_mask") : at::ones_like(input_ids);
    if (input_ids.dim() != 2 || mask.sizes() != input_ids.sizes())
        throw Error(ErrorKind::invalid_input, "'input_ids' and 'attention_mask' are not [batch, tokens] both");
    std::vector<PatchCounts> grids;
    if (sizes.defined()) grids = patch_counts(sizes, "image_grid_thw");
    for (PatchCounts& grid : grids) {
        check_merged(grid, merged, "image_grid_thw");
        grid = {grid.times, grid.rows / merged, grid.columns / merged};
    }
    const at::Tensor all_ids = input_ids.to(at::kCPU, at::kLong), all_real = mask.to(at::kCPU, at::kBool);
    const at::Tensor made = at::zeros({3, all_ids.size(0), all_ids.size(1)}, at::TensorOptions(at::kLong));
    const auto ids = all_ids.accessor<std::int64_t, 2>();
    const auto is_real = all_real.accessor<bool, 2>();
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
    if (inputs.contains("input_ids")) preparers::rope_index::prepare(*this, inputs);
    preparers::grid_thw::prepare(*this, inputs);
    inputs.erase("mm_token_type_ids");
    return inputs;
}

}  // namespace ferry::models
