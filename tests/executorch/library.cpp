#include <ferry/executorch/library.hpp>

#include <doctest/doctest.h>

TEST_CASE("the ExecuTorch of the tests is the tested one") {
    CHECK(ferry::executorch::library_found == ferry::executorch_library.tested);
    ferry::executorch::meet_library();
}
