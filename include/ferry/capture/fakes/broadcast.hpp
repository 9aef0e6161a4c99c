#pragma once

#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ferry::fake_ops {

/// at::infer_size, whose header brings every op of ATen.
[[nodiscard]] inline std::vector<std::int64_t> broadcast(c10::IntArrayRef a, c10::IntArrayRef b) {
    const c10::IntArrayRef& shorter = a.size() < b.size() ? a : b;
    std::vector<std::int64_t> sizes = (a.size() < b.size() ? b : a).vec();
    for (std::size_t i = 1; i <= shorter.size(); ++i) {
        std::int64_t& size = sizes[sizes.size() - i];
        const std::int64_t other = shorter[shorter.size() - i];
        TORCH_CHECK(size == other || size == 1 || other == 1, "sizes ", a, " and ", b, " do not broadcast");
        if (size == 1) size = other;
    }
    return sizes;
}

}  // namespace ferry::fake_ops
