#include <ferry/onnx/library.hpp>

#include <doctest/doctest.h>

TEST_CASE("the onnx of the tests is the tested one") {
    CHECK(ferry::onnx::library_found == ferry::onnx_library.tested);
    ferry::onnx::meet_library();
}
