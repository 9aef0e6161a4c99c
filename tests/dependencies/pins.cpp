// What the headers say they work with is what dependencies.json pins.
#include <ferry/core/versions.hpp>

static_assert(ferry::libtorch.tested == ferry::parse_version(FERRY_TORCH_TESTED));
static_assert(ferry::libtorch.minimum == ferry::parse_version(FERRY_TORCH_MINIMUM));
static_assert(ferry::onnx_library.tested == ferry::parse_version(FERRY_ONNX_TESTED));
static_assert(ferry::onnx_library.minimum == ferry::parse_version(FERRY_ONNX_MINIMUM));
static_assert(ferry::executorch_library.tested == ferry::parse_version(FERRY_EXECUTORCH_TESTED));
static_assert(ferry::executorch_library.minimum == ferry::parse_version(FERRY_EXECUTORCH_MINIMUM));
