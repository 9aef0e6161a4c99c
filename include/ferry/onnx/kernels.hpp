#pragma once

#include <ferry/graph/scalar_types.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

/// Which element types ONNX Runtime's CPU kernels compute with, where that is less than what the format allows. float16 stands
/// everywhere: ONNX Runtime casts it by itself. So does float64: there is no wider type, and less precision is not Ferry's to choose.
namespace ferry::onnx {

using DTypeSet = std::uint64_t;

[[nodiscard]] constexpr DTypeSet bit(DType dtype) noexcept { return DTypeSet{1} << static_cast<int>(dtype); }
template <class... DTypes>
[[nodiscard]] constexpr DTypeSet set_of(DTypes... dtypes) noexcept {
    return (DTypeSet{0} | ... | bit(dtypes));
}

inline constexpr DTypeSet floats = set_of(DType::float16, DType::float32, DType::float64);
inline constexpr DTypeSet wide_ints = set_of(DType::int32, DType::int64);
inline constexpr DTypeSet all_ints =
    wide_ints | set_of(DType::int8, DType::int16, DType::uint8, DType::uint16, DType::uint32, DType::uint64);

struct KernelTypes {
    std::string_view op;
    DTypeSet dtypes;
    std::uint8_t first = 0;     ///< inputs of that type: from this one on,
    std::uint8_t count = 255;   ///< so many
    bool returns_it = true;     ///< the (first) output is of that type as well
};

namespace detail {

inline constexpr KernelTypes kernel_types[] = {
    {"Add", floats | all_ints},
    {"Sub", floats | all_ints},
    {"Mul", floats | all_ints},
    {"Div", floats | all_ints},
    {"Mod", floats | all_ints},
    {"Abs", floats | all_ints},
    {"Sign", floats | all_ints},
    {"Neg", floats | wide_ints | set_of(DType::int8, DType::int16)},
    {"Max", floats | wide_ints | set_of(DType::int8, DType::uint8, DType::uint32, DType::uint64)},
    {"Min", floats | wide_ints | set_of(DType::int8, DType::uint8, DType::uint32, DType::uint64)},
    {"Clip", floats | wide_ints | set_of(DType::int8, DType::uint8, DType::uint32, DType::uint64)},
    {"Pow", floats | wide_ints},
    {"Relu", floats | set_of(DType::int32, DType::int8)},
    {"Where", floats | wide_ints | set_of(DType::uint8), 1, 2},
    {"Equal", floats | all_ints | set_of(DType::boolean), 0, 2, false},
    {"Less", floats | all_ints, 0, 2, false},
    {"LessOrEqual", floats | all_ints, 0, 2, false},
    {"Greater", floats | all_ints, 0, 2, false},
    {"GreaterOrEqual", floats | all_ints, 0, 2, false},
    {"MatMul", floats | wide_ints},
    {"Gemm", floats},
    {"Einsum", floats | wide_ints},
    {"ReduceSum", floats | wide_ints, 0, 1},
    {"ReduceProd", floats | wide_ints, 0, 1},
    {"ReduceMean", floats | wide_ints, 0, 1},
    {"ReduceL1", floats | wide_ints, 0, 1},
    {"ReduceL2", floats | wide_ints, 0, 1},
    {"ReduceLogSumExp", floats | wide_ints, 0, 1},
    {"ReduceSumSquare", floats | wide_ints, 0, 1},
    {"ReduceMax", floats | wide_ints | set_of(DType::int8, DType::uint8), 0, 1},
    {"ReduceMin", floats | wide_ints | set_of(DType::int8, DType::uint8), 0, 1},
    {"ArgMax", floats | wide_ints | set_of(DType::int8, DType::uint8), 0, 1, false},
    {"ArgMin", floats | wide_ints | set_of(DType::int8, DType::uint8), 0, 1, false},
    {"CumSum", floats | wide_ints, 0, 1},
    {"TopK", floats | wide_ints, 0, 1},
    {"NonZero", set_of(DType::boolean, DType::float32, DType::int32, DType::int64, DType::uint8), 0, 1, false},
    {"Trilu", floats | set_of(DType::boolean, DType::int64), 0, 1},
    {"Expand", floats | all_ints | set_of(DType::boolean), 0, 1},
    {"Tile", floats | all_ints | set_of(DType::boolean), 0, 1},
    {"Pad", floats | wide_ints | set_of(DType::boolean, DType::int8, DType::uint8, DType::uint32, DType::uint64), 0, 1},
    {"Range", set_of(DType::float32, DType::float64, DType::int16, DType::int32, DType::int64)},
    {"Unique", set_of(DType::float32, DType::float64, DType::int64, DType::int8), 0, 1},
    {"MaxPool", floats | set_of(DType::int8, DType::uint8), 0, 1},
    {"AveragePool", floats, 0, 1},
    {"Conv", floats},
    {"ConvTranspose", floats},
    {"BatchNormalization", floats},
    {"InstanceNormalization", floats},
    {"LayerNormalization", floats},
    {"RMSNormalization", floats},
    {"Resize", floats | set_of(DType::int32, DType::int8, DType::uint8), 0, 1},
    {"Softmax", floats},
    {"LogSoftmax", floats},
    {"Sqrt", floats},
    {"Exp", floats},
    {"Log", floats},
    {"Sin", floats},
    {"Cos", floats},
    {"Tan", floats},
    {"Sinh", floats},
    {"Cosh", floats},
    {"Tanh", floats},
    {"Asin", floats},
    {"Acos", floats},
    {"Atan", floats},
    {"Asinh", floats},
    {"Acosh", floats},
    {"Atanh", floats},
    {"Erf", floats},
    {"Sigmoid", floats},
    {"Reciprocal", floats},
    {"Floor", floats},
    {"Ceil", floats},
    {"Round", floats},
    {"Gelu", floats},
    {"Elu", floats},
    {"Selu", floats},
    {"Celu", floats},
    {"LeakyRelu", floats},
    {"PRelu", floats},
    {"Softplus", floats},
    {"Softsign", floats},
    {"HardSigmoid", floats},
    {"HardSwish", floats},
    {"Mish", floats},
    {"ThresholdedRelu", floats},
    {"GridSample", floats},
};

/// From which types on every value of the first is exact.
struct Wider {
    DType from;
    std::array<DType, 4> to;
};
inline constexpr Wider wider_types[] = {
    {DType::boolean, {DType::uint8, DType::int32, DType::int64, DType::float32}},
    {DType::uint8, {DType::int32, DType::int64, DType::float32, DType::float64}},
    {DType::int8, {DType::int32, DType::int64, DType::float32, DType::float64}},
    {DType::int16, {DType::int32, DType::int64, DType::float32, DType::float64}},
    {DType::uint16, {DType::int32, DType::int64, DType::float32, DType::float64}},
    {DType::int32, {DType::int64, DType::float64, DType::float64, DType::float64}},
    {DType::uint32, {DType::int64, DType::float64, DType::float64, DType::float64}},
    {DType::bfloat16, {DType::float32, DType::float64, DType::float64, DType::float64}},
    {DType::float16, {DType::float32, DType::float64, DType::float64, DType::float64}},
};

}  // namespace detail

/// Every value of the one is a value of the other.
[[nodiscard]] constexpr bool is_exact(DType from, DType to) noexcept {
    if (from == to) return true;
    for (const detail::Wider& row : detail::wider_types)
        if (row.from == from)
            for (const DType wider : row.to)
                if (wider == to) return true;
    return false;
}

/// What is known of an op's kernels; null: they take everything.
[[nodiscard]] constexpr const KernelTypes* kernel_types(std::string_view op) noexcept {
    for (const KernelTypes& row : detail::kernel_types)
        if (row.op == op) return &row;
    return nullptr;
}

/// The type to compute with: `dtype` itself, or the first wider one that the kernels have.
[[nodiscard]] constexpr DType computing_type(DTypeSet kernels, DType dtype) noexcept {
    if ((kernels & bit(dtype)) != 0) return dtype;
    for (const detail::Wider& row : detail::wider_types) {
        if (row.from != dtype) continue;
        for (const DType wider : row.to)
            if ((kernels & bit(wider)) != 0) return wider;
    }
    return dtype;
}

}  // namespace ferry::onnx
