// Named, nested inputs: made on the spot or from C++ types, with every tensor found by its path.
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/leaf_tensors.hpp>

#include <ATen/ops/ones.h>

#include <cstdio>
#include <utility>
#include <vector>

int main() {
    using Cache = std::vector<std::pair<at::Tensor, at::Tensor>>;  // keys and values of each layer
    const Cache cache{{at::ones({2, 4}), at::ones({2, 4})}, {at::ones({2, 4}), at::ones({2, 4})}};
    const auto inputs = ferry::inputs("input_ids", at::ones({2, 3}, at::kLong), "past_key_values", cache);

    for (const auto& [path, tensor] : ferry::get_leaf_tensors(inputs))
        std::printf("%s: %ld dimensions\n", path.c_str(), static_cast<long>(tensor.dim()));

    const auto half = ferry::cast_leaf_tensors(inputs, at::kHalf);  // floating-point leaves only
    const bool cast = half.get<at::Tensor>("past_key_values.1.0").scalar_type() == at::kHalf &&
                      half.get<at::Tensor>("input_ids").scalar_type() == at::kLong;
    return cast && half.get<Cache>("past_key_values").size() == 2 ? 0 : 1;
}
