#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/scalar_types.hpp>

#include <cstdint>
#include <string>

namespace ferry::onnx {

/// TensorProto's number of an element type; these are part of the format and never change.
[[nodiscard]] inline std::int32_t element_type(DType dtype) {
    switch (dtype) {
        case DType::float32: return 1;
        case DType::uint8: return 2;
        case DType::int8: return 3;
        case DType::uint16: return 4;
        case DType::int16: return 5;
        case DType::int32: return 6;
        case DType::int64: return 7;
        case DType::boolean: return 9;
        case DType::float16: return 10;
        case DType::float64: return 11;
        case DType::uint32: return 12;
        case DType::uint64: return 13;
        case DType::bfloat16: return 16;
        case DType::float8_e4m3fn: return 17;
        case DType::float8_e4m3fnuz: return 18;
        case DType::float8_e5m2: return 19;
        case DType::float8_e5m2fnuz: return 20;
        default:
            throw Error(
                ErrorKind::unsupported, "ONNX Runtime has no tensors of " + std::string(info(dtype).torch_name),
                {.hint = is_complex(dtype) ? "compute with real and imaginary parts (torch::view_as_real)" : ""});
    }
}

}  // namespace ferry::onnx
