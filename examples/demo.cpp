// What `make demo` shows: the stages of each backend, and a nested input taken apart and put together again.
#include <ferry/core/error.hpp>
#include <ferry/core/stage_table.hpp>
#include <ferry/dynamo/pipeline.hpp>
#include <ferry/executorch/pipeline.hpp>
#include <ferry/onnx/pipeline.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/leaf_tensors.hpp>

#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <boost/hana/define_struct.hpp>

#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace {

struct LayerCache {
    BOOST_HANA_DEFINE_STRUCT(LayerCache, (at::Tensor, keys), (at::Tensor, values));
};

struct ModelInputs {
    BOOST_HANA_DEFINE_STRUCT(ModelInputs,
                             (at::Tensor, input_ids),
                             (std::optional<at::Tensor>, attention_mask),
                             (std::vector<LayerCache>, past_key_values),
                             (bool, use_cache));
};

template <class Pipeline>
void print_stages() {
    const auto table = ferry::stage_table(ferry::describe_stages<Pipeline>());
    std::printf("Stages of %s\n\n%s\n", std::string(Pipeline::stages::backend).c_str(), table.c_str());
}

std::string shape_of(const at::Tensor& tensor) {
    std::string text = "[";
    for (const auto size : tensor.sizes()) text.append(text.size() > 1 ? ", " : "").append(std::to_string(size));
    return text + "]";
}

void print_nested_input() {
    const auto cache = [] { return LayerCache{at::zeros({2, 4, 7, 16}), at::zeros({2, 4, 7, 16})}; };
    const ModelInputs given{at::ones({2, 3}, at::kLong), std::nullopt, {cache(), cache()}, true};

    const ferry::Tree flat = ferry::tree::flatten(given);
    const auto paths = flat.spec.leaf_paths();
    std::printf("A nested input, flattened to %zu leaves\n\n| path | leaf |\n|---|---|\n", flat.leaves.size());
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const ferry::Leaf& leaf = flat.leaves[i];
        std::string text = leaf.is_none() ? "None" : leaf.is_tensor() ? "tensor " + shape_of(leaf.tensor()) : "constant";
        std::printf("| `%s` | %s |\n", paths[i].c_str(), text.c_str());
    }
    std::printf("\nIts structure, as Python prints it\n\n%s\n", flat.spec.str().c_str());

    const auto again = ferry::tree::unflatten<ModelInputs>(flat);
    const bool same = again.input_ids.is_same(given.input_ids) && !again.attention_mask && again.use_cache &&
                      again.past_key_values.size() == 2 &&
                      again.past_key_values[1].values.is_same(given.past_key_values[1].values);
    std::printf("\nUnflattened: %s\n", same ? "the same tensors in the same places" : "something was lost");
    if (!same) throw ferry::Error(ferry::ErrorKind::internal, "the input did not survive the round trip");
}

}  // namespace

int main() {
    try {
        print_stages<ferry::dynamo_pipeline>();
        print_stages<ferry::onnx_pipeline>();
        print_stages<ferry::executorch_pipeline>();
        print_nested_input();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
