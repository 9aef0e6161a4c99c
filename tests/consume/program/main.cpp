// A user's program: flattens nested inputs and extends a pipeline with an entry of its own.
#include "batch.hpp"

#include <ATen/ops/ones.h>

#include <iostream>

struct silu_as_sigmoid_times_input {
    static constexpr auto target = ferry::op("aten::silu");
    static bool fix(ferry::Graph&, ferry::Node&) { return false; }
};
using my_pipeline = ferry::extend<ferry::onnx_pipeline, ferry::node_fixes<silu_as_sigmoid_times_input>>;
static_assert(ferry::contains_v<my_pipeline, silu_as_sigmoid_times_input>);

int main() {
    const Batch batch{at::ones({1, 4}), {{at::ones({2}), at::ones({2})}, {at::ones({2}), at::ones({2})}}};
    std::vector<std::string> here;
    for (const auto& [path, tensor] : ferry::get_leaf_tensors(batch)) here.push_back(path);
    for (const std::string& path : here) std::cout << path << '\n';
    return here == tensor_paths(batch) && here.size() == 5 && here.back() == "past_key_values.1.values" ? 0 : 1;
}
