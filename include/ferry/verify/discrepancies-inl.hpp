#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/graph/libtorch_errors.hpp>
#include <ferry/observe/aligned_calls.hpp>
#include <ferry/observe/infer_arguments.hpp>
#include <ferry/tree/leaf_tensors.hpp>
#include <ferry/verify/discrepancies.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace ferry::artifacts {

[[nodiscard]] inline std::string sizes_text(at::IntArrayRef sizes) {
    std::string text;
    for (const std::int64_t size : sizes) text.append(text.empty() ? "" : ", ").append(std::to_string(size));
    return "[" + text + "]";
}

/// The largest differences of two tensors of one shape and type. Where both are the same infinity or no number at all, there is none.
[[nodiscard]] inline std::pair<double, double> differences(const at::Tensor& expected, const at::Tensor& found,
                                                           double rtol) {
    if (expected.numel() == 0) return {0, 0};
    const auto numbers = [](const at::Tensor& tensor) {
        const at::Tensor real = tensor.is_complex() ? at::view_as_real(tensor.resolve_conj()) : tensor;
        return real.cpu().to(at::kDouble);
    };
    const at::Tensor a = numbers(expected), b = numbers(found);
    const at::Tensor same = (a == b).logical_or(at::isnan(a).logical_and(at::isnan(b)));
    const auto largest = [&](const at::Tensor& each) {
        const at::Tensor differs = at::where(same, at::zeros_like(each), each);
        return at::isnan(differs).any().item<bool>() ? std::numeric_limits<double>::infinity()
                                                     : differs.max().item<double>();
    };
    const at::Tensor apart = (a - b).abs();
    return {largest(apart), largest(apart / (a.abs() + rtol))};
}

FERRY_INLINE void compare(const std::vector<Leaf>& expected, const std::vector<Leaf>& found,
                          const DiscrepancyOptions& options, Discrepancy& row) {
    std::vector<Leaf> wanted = expected, given = found;
    if (wanted.size() != given.size())  // a runtime may have no None
        for (std::vector<Leaf>* leaves : {&wanted, &given}) std::erase_if(*leaves, &Leaf::is_absent);
    if (wanted.size() != given.size()) {
        row.error = "not the same number of outputs: " + std::to_string(given.size()) + " instead of " +
                    std::to_string(wanted.size());
        return;
    }
    double absolute = 0, relative = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const std::string which = " (output " + std::to_string(i) + ")";
        if (wanted[i].is_absent() || given[i].is_absent()) {
            if (options.skip_none || wanted[i].is_absent() == given[i].is_absent()) continue;
            row.error = "missing output" + which;
            return;
        }
        if (wanted[i].get_if<std::string>() != nullptr || given[i].get_if<std::string>() != nullptr) {
            if (wanted[i] == given[i]) continue;
            row.error = "not the same text" + which;
            return;
        }
        const at::Tensor a = as_tensor(wanted[i]), b = as_tensor(given[i]);
        if (a.sizes() != b.sizes()) {
            row.error = "not the same shape: " + sizes_text(b.sizes()) + " instead of " + sizes_text(a.sizes()) + which;
            return;
        }
        if (a.scalar_type() != b.scalar_type()) {
            row.error = std::string("not the same type: ") + c10::toString(b.scalar_type()) + " instead of " +
                        c10::toString(a.scalar_type()) + which;
            return;
        }
        const auto [of_numbers, of_parts] = differences(a, b, options.rtol);
        absolute = std::max(absolute, of_numbers);
        relative = std::max(relative, of_parts);
    }
    row.absolute = absolute;
    row.relative = relative;
    row.success = absolute <= options.atol && relative <= options.rtol;
    if (!std::isfinite(absolute)) row.error = "a number on one side is infinite or none on the other";
}

FERRY_INLINE Discrepancies check_artifact(const Artifact& artifact, const InputObserver& observer,
                                          const DiscrepancyOptions& options) {
    using Clock = std::chrono::steady_clock;
    const at::NoGradGuard no_grad;
    const observe::AlignedCalls calls(observer.calls());
    Discrepancies rows;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const ObservedCall& call = observer.calls()[i];
        Discrepancy row{.index = i, .model_seconds = call.seconds};
        const std::vector<Leaf>& given = calls.leaves_of(i);
        const std::vector<Leaf> leaves = observe::without_gaps(calls, given);
        for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
            if (!leaves[leaf].is_tensor()) continue;
            ++row.n_inputs;
            row.n_none += given[leaf].is_absent() ? 1 : 0;
            row.n_empty += given[leaf].is_absent() || given[leaf].tensor().numel() == 0 ? 1 : 0;
        }
        const Inputs inputs = clone_leaf_tensors(observe::as_inputs(calls, leaves));
        artifact.check(inputs);
        const auto start = Clock::now();
        const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
        try {
            const std::vector<Leaf> found = artifact.run(inputs);
            row.artifact_seconds = seconds();
            compare(call.outputs.leaves, found, options, row);
        } catch (const std::exception& error) {
            row.artifact_seconds = seconds();
            row.error = message_of(error);
        }
        rows.push_back(std::move(row));
        report(options.progress, {"calls", i + 1, calls.size()});
    }
    return rows;
}

}  // namespace ferry::artifacts
