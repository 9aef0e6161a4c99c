#pragma once

#include <ferry/core/algorithm.hpp>

#include <ATen/core/Tensor.h>

#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ferry::capture {

/// Tensors without dimensions that turn up in a run and come from no op: TorchScript makes one of each size that a traced module
/// computes with (prim::NumToTensor). They are numbers, and what is computed from them is a number too. One that turns up again in
/// another run is no such number but something that the model keeps: its state.
class LooseNumbers {
public:
    void begin_run() { of_run_.clear(), learnt_ = false; }

    /// To be called when one turns up that is not known by another name. False: it is state.
    [[nodiscard]] bool take(const at::Tensor& tensor) {
        if (lasting_.contains(tensor.unsafeGetTensorImpl())) return false;
        if (seen_.contains(tensor.unsafeGetTensorImpl())) {  // in an earlier run
            keep(tensor);
            return false;
        }
        of_run_.push_back(tensor);
        return true;
    }
    /// State, after all, since the model writes to it. Runs in which it was taken for a number do not count.
    void keep(const at::Tensor& tensor) {
        const bool was_number = is_of_run(tensor) || seen_.contains(tensor.unsafeGetTensorImpl());
        if (!lasting_.insert(tensor.unsafeGetTensorImpl()).second) return;
        learnt_ = learnt_ || was_number;
        seen_.emplace(tensor.unsafeGetTensorImpl(), tensor);
    }
    [[nodiscard]] bool is_of_run(const at::Tensor& tensor) const {
        return algo::any_of(of_run_, [&](const at::Tensor& each) { return each.is_same(tensor); });
    }
    /// True when the run, and those before it, must be done again.
    [[nodiscard]] bool end_run() {
        for (at::Tensor& tensor : of_run_) seen_.emplace(tensor.unsafeGetTensorImpl(), tensor);
        of_run_.clear();
        return std::exchange(learnt_, false);
    }

private:
    std::unordered_map<const c10::TensorImpl*, at::Tensor> seen_;  // keeps their addresses from being used again
    std::unordered_set<const c10::TensorImpl*> lasting_;
    std::vector<at::Tensor> of_run_;
    bool learnt_ = false;
};

}  // namespace ferry::capture
