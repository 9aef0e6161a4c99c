#include "compare.hpp"

#include <ATen/ATen.h>

#include <sstream>

namespace ferry_test {
namespace {

/// Two units in the last place of a number near one, and more where sums may be taken in another order.
double tolerance_of(at::ScalarType type) {
    switch (type) {
        case at::kDouble:
        case at::kComplexDouble: return 1e-10;
        case at::kHalf: return 2e-3;
        case at::kBFloat16: return 1.6e-2;
        default: return 1e-5;
    }
}

bool same_values(const at::Tensor& expected, const at::Tensor& found, double factor) {
    if (expected.numel() == 0) return true;
    if (!expected.is_floating_point() && !expected.is_complex()) return at::equal(expected, found);
    const double tolerance = factor * tolerance_of(expected.scalar_type());
    return at::allclose(expected, found, tolerance, tolerance, /*equal_nan=*/true);
}

}  // namespace

ferry::Inputs copy_of(const ferry::Inputs& inputs) {
    ferry::Tree tree = inputs.tree();
    for (ferry::Leaf& leaf : tree.leaves)
        if (leaf.is_tensor() && leaf.tensor().defined()) {
            const at::Tensor& tensor = leaf.tensor();
            at::Tensor copy = at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options());
            copy.copy_(tensor);
            leaf = copy;
        }
    return ferry::tree::unflatten<ferry::Inputs>(tree);
}

std::string difference(const at::Tensor& expected, const at::Tensor& found, const Tolerance& tolerance) {
    if (expected.defined() != found.defined()) return expected.defined() ? "is undefined" : "is defined";
    if (!expected.defined()) return {};
    std::ostringstream text;
    if (expected.sizes() != found.sizes())
        text << "has sizes " << found.sizes() << " instead of " << expected.sizes();
    else if (expected.scalar_type() != found.scalar_type())
        text << "is of " << found.scalar_type() << " instead of " << expected.scalar_type();
    else if (expected.device() != found.device())
        text << "is on " << found.device() << " instead of " << expected.device();
    else if (tolerance.values && !same_values(expected, found, tolerance.factor))
        text << "is off in " << (expected != found).sum().item<std::int64_t>() << " of " << expected.numel()
             << " numbers, by up to "
             << (expected.to(at::kComplexDouble) - found.to(at::kComplexDouble)).abs().max().item<double>();
    return text.str();
}

std::string difference(const ferry::Tree& expected, const ferry::Tree& found, const Tolerance& tolerance) {
    if (!(expected.spec == found.spec))
        return "nested otherwise: " + found.spec.str() + " instead of " + expected.spec.str();
    for (std::size_t i = 0; i < expected.leaves.size(); ++i) {
        const ferry::Leaf& a = expected.leaves[i];
        const ferry::Leaf& b = found.leaves[i];
        const std::string where = "leaf " + std::to_string(i) + " ";
        if (a.is_tensor() && !a.tensor().defined() && b.is_none()) continue;  // what a graph returns for it
        if (a.kind() != b.kind())
            return where + "is " + std::string(ferry::tree::detail::kind_name(b.kind())) + " instead of " +
                   std::string(ferry::tree::detail::kind_name(a.kind()));
        if (!a.is_tensor() && !(a == b)) return where + "is another constant";
        if (a.is_tensor())
            if (std::string text = difference(a.tensor(), b.tensor(), tolerance); !text.empty()) return where + text;
    }
    return {};
}

BufferKeeper::BufferKeeper(const ferry::ModelState& state) {
    for (const auto* named : {&state.parameters, &state.buffers})
        for (const auto& [name, tensor] : *named)
            if (tensor.defined()) before_.emplace_back(tensor, tensor.clone());
}

void BufferKeeper::put_back() const {
    const at::NoGradGuard no_gradients;
    for (const auto& [tensor, value] : before_) tensor.copy_(value);
}

}  // namespace ferry_test
