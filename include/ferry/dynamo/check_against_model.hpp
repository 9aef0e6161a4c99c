#pragma once

#include <ferry/capture/probe_points.hpp>
#include <ferry/capture/prober.hpp>
#include <ferry/capture/session.hpp>
#include <ferry/capture/untouched.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/progress.hpp>
#include <ferry/graph/libtorch_errors.hpp>
#include <ferry/graph/sym_eval.hpp>
#include <ferry/program/model_state.hpp>
#include <ferry/program/module.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// `strict = true`: the finished program against the model itself, with real values, at sizes that no probe used.
namespace ferry {
namespace detail {

/// As the sample: integers and reals between its least and its largest, since they may be indices, masks or lengths.
[[nodiscard]] inline at::Tensor random_like(const at::Tensor& sample, at::IntArrayRef sizes) {
    const auto options = sample.options().requires_grad(false);
    if (sample.scalar_type() == at::kBool) return at::randint(0, 2, sizes, at::TensorOptions(at::kLong)).to(at::kBool);
    if (sample.is_complex() || sample.numel() == 0)
        return at::randn(sizes, options.dtype(sample.is_complex() ? sample.scalar_type() : at::kFloat))
            .to(sample.scalar_type());
    if (!sample.is_floating_point()) {
        const auto least = sample.min().item<std::int64_t>(), most = sample.max().item<std::int64_t>();
        return at::randint(least, most + 1, sizes, options.dtype(at::kLong)).to(sample.scalar_type());
    }
    const at::Tensor wide = sample.detach().to(at::kDouble);
    const auto least = wide.min().item<double>(), most = wide.max().item<double>();
    if (!(most > least) || most - least > 1e30)
        return at::randn(sizes, options.dtype(at::kFloat)).to(sample.scalar_type());
    return at::rand(sizes, options.dtype(at::kDouble)).mul(most - least).add(least).to(sample.scalar_type());
}

/// What is different, or nothing. The program calls the kernels that the model calls: there is little to be forgiven.
[[nodiscard]] inline std::string difference(const Leaf& expected, const Leaf& found) {
    if (expected.is_absent() && found.is_absent()) return {};
    if (!expected.is_tensor() || !found.is_tensor()) return expected == found ? "" : "is another constant";
    const at::Tensor &a = expected.tensor(), &b = found.tensor();
    if (a.defined() != b.defined()) return "is defined in only one of them";
    if (!a.defined()) return {};
    const auto sizes = [](const at::Tensor& tensor) {
        std::string text = "[";
        for (const std::int64_t size : tensor.sizes())
            text.append(text.size() > 1 ? ", " : "").append(std::to_string(size));
        return text + "]";
    };
    if (a.sizes() != b.sizes()) return "has sizes " + sizes(b) + " instead of " + sizes(a);
    if (a.scalar_type() != b.scalar_type())
        return std::string("is of ") + c10::toString(b.scalar_type()) + " instead of " + c10::toString(a.scalar_type());
    if (a.numel() == 0) return {};
    if (!a.is_floating_point() && !a.is_complex()) return at::equal(a, b) ? "" : "has other values";
    const double relative = a.scalar_type() == at::kBFloat16 ? 2e-2
                            : a.scalar_type() == at::kHalf   ? 2e-3
                            : a.scalar_type() == at::kDouble ? 1e-9
                                                             : 1e-5;
    const at::Tensor wide_a = a.is_complex() ? a : a.to(at::kDouble), wide_b = a.is_complex() ? b : b.to(at::kDouble);
    if (at::allclose(wide_a, wide_b, relative, relative, /*equal_nan=*/true)) return {};
    return "is off by up to " + std::to_string(wide_a.sub(wide_b).abs().max().item<double>());
}

/// Nearer to the sample until the inputs are small enough that a model runs on them in no time: several large dimensions at once are
/// much.
[[nodiscard]] inline ProbePoint of_moderate_size(const capture::Probed& probed, ProbePoint point) {
    constexpr double most = 1 << 16;
    const ProbePoint sample = probed.sample_point();
    const auto elements = [&](const ProbePoint& at) {
        const SymBindings bindings = probed.plan.bindings_at(at);
        double largest = 0;
        for (const auto& sizes : probed.plan.sizes) {
            double product = 1;
            for (const SymExpr& size : sizes) product *= static_cast<double>(evaluate(size, bindings));
            largest = std::max(largest, product);
        }
        return largest;
    };
    const double limit = std::max(most, 4 * elements(sample));
    while (elements(point) > limit) {
        std::size_t furthest = 0;
        for (std::size_t i = 1; i < point.size(); ++i)
            if (point[i] - sample[i] > point[furthest] - sample[furthest]) furthest = i;
        if (point[furthest] <= sample[furthest]) break;
        point[furthest] -= (point[furthest] - sample[furthest] + 1) / 2;
    }
    return point;
}

[[nodiscard]] inline std::vector<Leaf> copies(const std::vector<Leaf>& leaves) {
    std::vector<Leaf> made = leaves;
    for (Leaf& leaf : made)
        if (leaf.is_tensor() && leaf.tensor().defined()) leaf = leaf.tensor().clone();
    return made;
}

inline void check_at(const ExportedProgram& program, const capture::RunModel& model, const ModelState& state,
                     capture::Untouched& guard, const std::vector<Leaf>& leaves, const std::string& sizes) {
    const auto differs = [&](const std::string& what, const std::string& how) {
        throw Error(
            ErrorKind::unsupported, "the program does not do what the model does at " + sizes + ": " + what + " " + how,
            {.hint =
                 "make the dimension static, or rewrite what depends on it; without `strict` this would have gone unseen",
             .where = {.stage = "strict"}});
    };
    const std::vector<Leaf> of_model = copies(leaves), of_program = copies(leaves);
    Tree expected;
    std::vector<at::Tensor> buffers;
    guard.seed(1);
    try {
        expected = model(of_model);
    } catch (const std::exception& error) {
        throw Error(
            ErrorKind::invalid_input,
            "the model itself fails at " + sizes + ", inside the ranges that the program allows: " + message_of(error),
            {.hint = "state the range of sizes that the model takes: Dim{\"name\", min, max}",
             .where = {.stage = "strict"}});
    }
    buffers.reserve(state.buffers.size());
    for (const auto& [name, buffer] : state.buffers) buffers.push_back(buffer.defined() ? buffer.clone() : buffer);
    guard.put_back();
    guard.seed(1);
    ProgramModule module = program.module();
    const std::vector<Leaf> found = module.run(of_program);
    const auto paths = expected.spec.leaf_paths();
    for (std::size_t i = 0; i < found.size(); ++i)
        if (const std::string how = difference(expected.leaves.at(i), found[i]); !how.empty())
            differs(paths[i].empty() ? "its output" : "output '" + paths[i] + "'", how);
    const auto inputs = program.in_spec.children().at(1).leaf_paths();
    for (std::size_t i = 0; i < leaves.size(); ++i)
        if (const std::string how = difference(of_model[i], of_program[i]); !how.empty())
            differs("input '" + inputs[i] + "', afterwards,", how);
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        const std::string& name = state.buffers[i].first;
        if (!buffers[i].defined()) continue;
        const bool is_known =
            algo::any_of(program.signature.inputs, [&](const InputSpec& input) { return input.target == name; });
        if (!is_known) continue;  // another name of a tied one
        if (const std::string how = difference(Leaf(buffers[i]), Leaf(module.tensor(name))); !how.empty())
            differs("buffer '" + name + "', afterwards,", how);
    }
}

}  // namespace detail

/// Throws an Error that names the first difference and the sizes at which it shows.
inline void check_against_model(const ExportedProgram& program, const capture::RunModel& model, const ModelState& state,
                                const capture::Probed& probed, const Progress& progress = {}) {
    constexpr std::size_t count = 4;
    for (const Leaf& leaf : program.example_inputs)
        if (leaf.is_tensor() && leaf.tensor().defined() && leaf.tensor().is_meta())
            throw Error(ErrorKind::invalid_input, "strict needs real inputs, these are on the meta device",
                        {.where = {.stage = "strict"}});
    const c10::AutoGradMode no_gradients(false);
    std::vector<at::Tensor> tensors;
    for (const auto* named : {&state.parameters, &state.buffers})
        for (const auto& [name, tensor] : *named) tensors.push_back(tensor);
    capture::Untouched guard(tensors);
    std::vector<ProbePoint> points = more_probe_points(probed.plan.symbols, probed.points, count);
    if (points.empty())
        points.push_back(probed.points.at(0));  // nothing varies, or all sizes were probed: other values at least
    guard.seed(20);
    std::size_t checked = 0;
    for (const ProbePoint& generic : points) {
        const ProbePoint point = detail::of_moderate_size(probed, generic);
        const SymBindings bindings = probed.plan.bindings_at(point);
        std::string sizes;
        for (std::size_t i = 0; i < probed.plan.symbols.size(); ++i) {
            const std::string& name = probed.plan.symbols[i].name;
            if (!is_unbacked_name(name))
                sizes.append(sizes.empty() ? "" : ", ").append(name).append(" = ").append(std::to_string(point[i]));
        }
        std::vector<Leaf> leaves = program.example_inputs;
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            if (!leaves[i].is_tensor() || !leaves[i].tensor().defined()) continue;
            std::vector<std::int64_t> shape;
            for (const SymExpr& size : probed.plan.sizes[i]) shape.push_back(evaluate(size, bindings));
            leaves[i] = detail::random_like(leaves[i].tensor(), shape);
        }
        detail::check_at(program, model, state, guard, leaves, sizes.empty() ? "the sample's sizes" : sizes);
        report(progress, {.stage = "strict", .done = ++checked, .total = points.size()});
    }
}

}  // namespace ferry
