#pragma once

#include <ferry/graph/value.hpp>

#include <ATen/core/Tensor.h>

#include <ferry_schema/executorch/runtime_schema_generated.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/// What one call of XNNPACK computes, before it is written: operands by number, and operations over them.
namespace ferry::executorch::xnnpack {

using Op = ferry_schema::fb_xnnpack::XNodeUnion;
using Sizes = std::vector<std::uint32_t>;

/// An operand.
using Ref = std::uint32_t;
inline constexpr Ref nothing = std::numeric_limits<Ref>::max();

inline constexpr std::size_t most_dims = 6;
inline constexpr std::uint32_t transposed_weights = 1;
inline constexpr std::uint32_t align_corners = 8;
inline constexpr std::uint32_t keep_dims = 64;

struct Operand {
    Sizes sizes{};  ///< of a dynamic one those of the example: the runtime computes them anew in each run
    std::uint32_t constant = 0;  ///< its place among the weights, from 1 on
    Ref external = nothing;  ///< its place among the arguments of the call
    bool is_output = false;
};

/// How a convolution or pooling goes over an image: height and width.
struct Window {
    std::uint32_t kernel[2]{1, 1}, stride[2]{1, 1}, padding[2]{0, 0}, dilation[2]{1, 1}, adjustment[2]{0, 0};
    std::uint32_t more_behind[2]{0, 0};  ///< of padding, than in front
    std::uint32_t groups = 1, group_inputs = 1, group_outputs = 1;
};

struct Operation {
    Op op;
    std::vector<Ref> inputs{};
    Ref output = nothing;
    std::uint32_t flags = 0;
    Sizes list{}, second_list{};  ///< an order of dimensions, sizes, offsets and sizes, paddings before and behind
    float number = 0;  ///< a slope, an axis, what is padded with
    float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
    Window window{};
};

/// An argument of the call: a value of the graph, or a tensor that never changes.
struct Given {
    Value value{};
    at::Tensor constant{};
};

/// Weights are packed when a method is loaded, and then let go of. What is not packed must stay: it is an argument. Neither is
/// brought into order before it stands in a file: most delegates are made only to see whether they can be.
struct Weights {
    at::Tensor tensor;
    std::string name;
};

struct Delegate {
    std::vector<Operand> operands{};
    std::vector<Operation> operations{};
    std::vector<Weights> weights{};
    std::vector<Given> inputs{};
    std::vector<Value> outputs{};
};

}  // namespace ferry::executorch::xnnpack
