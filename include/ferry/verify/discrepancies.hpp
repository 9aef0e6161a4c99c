#pragma once

#include <ferry/core/progress.hpp>
#include <ferry/observe/observer.hpp>
#include <ferry/tree/leaf.hpp>
#include <ferry/verify/artifact.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ferry {

struct DiscrepancyOptions {
    double atol = 1e-4;  ///< 1e-2 for half precision
    double rtol = 0.1;
    bool skip_none = true;  ///< false: what is None on one side alone is an error
    Progress progress{};
};

/// What became of one call that was observed.
struct Discrepancy {
    std::size_t index = 0;
    bool success = false;
    std::optional<double> absolute{};  ///< the largest difference; none where numbers could not be compared
    std::optional<double> relative{};  ///< to |expected| + rtol
    std::string error{};               ///< why they could not, or what failed
    double model_seconds = 0;
    double artifact_seconds = 0;
    std::size_t n_inputs = 0;  ///< tensors
    std::size_t n_none = 0;    ///< of which the call lacked so many
    std::size_t n_empty = 0;   ///< of which the call lacked so many, or had them without elements

    friend bool operator==(const Discrepancy&, const Discrepancy&) = default;
};
using Discrepancies = std::vector<Discrepancy>;

namespace artifacts {

/// Compares what a model gave with what an artifact gives: sets success, the differences, and the error.
void compare(const std::vector<Leaf>& expected, const std::vector<Leaf>& found, const DiscrepancyOptions& options,
             Discrepancy& row);

[[nodiscard]] Discrepancies check_artifact(const Artifact& artifact, const InputObserver& observer,
                                           const DiscrepancyOptions& options);

}  // namespace artifacts

/// Runs what was exported on each call that was observed, one row for each; what a run fails with is in its row. `artifact` is an
/// ExportedProgram, a generation::Part or an artifacts::Artifact; with verify/onnx_artifact.hpp an OnnxProgram or `onnx_artifact(path)`, with
/// verify/executorch_artifact.hpp an ExecutorchProgram or `executorch_artifact(path)`.
template <class Exported>
[[nodiscard]] Discrepancies check_discrepancies(const Exported& artifact, const InputObserver& observer,
                                                const DiscrepancyOptions& options = {}) {
    if constexpr (requires { artifact.check; })
        return artifacts::check_artifact(artifact, observer, options);
    else
        return artifacts::check_artifact(artifact_of(artifact), observer, options);
}

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/verify/discrepancies-inl.hpp>
#endif
