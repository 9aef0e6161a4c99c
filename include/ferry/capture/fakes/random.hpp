#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/SymInt.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace ferry::fake_ops {

/// Zeros are no distribution to draw from.
struct multinomial {
    static constexpr auto target = op("aten::multinomial");
    static at::Tensor fake(const at::Tensor& self, std::int64_t samples, bool replacement,
                           const std::optional<at::Generator>&) {
        TORCH_CHECK(self.dim() == 1 || self.dim() == 2, "multinomial: one or two dimensions are expected, not ",
                    self.dim());
        TORCH_CHECK(replacement || samples <= self.size(-1), "multinomial: ", samples,
                    " samples without replacement from ", self.size(-1));
        std::vector<std::int64_t> sizes(self.sizes().begin(), self.sizes().end() - 1);
        sizes.push_back(samples);
        return at::empty(sizes, self.options().dtype(at::kLong));
    }
};

}  // namespace ferry::fake_ops

namespace ferry {
using random_fakes = fakes<fake_ops::multinomial>;
}  // namespace ferry
