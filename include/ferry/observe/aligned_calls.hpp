#pragma once

#include <ferry/observe/observed_call.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/leaf.hpp>
#include <ferry/tree/spec.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace ferry::observe {

/// Calls brought to one form, that of the call with the most leaves: what a call was not given is None there.
class AlignedCalls {
public:
    explicit AlignedCalls(const std::vector<ObservedCall>& calls);

    [[nodiscard]] std::size_t size() const noexcept { return leaves_.size(); }
    /// The call that has the form.
    [[nodiscard]] const ObservedCall& fullest() const noexcept { return *fullest_; }
    /// The first with as many inputs as that one.
    [[nodiscard]] std::size_t first_full() const noexcept { return first_full_; }
    /// Of all inputs together.
    [[nodiscard]] const TreeSpec& spec() const noexcept { return spec_; }
    [[nodiscard]] const std::vector<std::string>& paths() const noexcept { return paths_; }
    /// Which input a leaf belongs to.
    [[nodiscard]] const std::string& input_of(std::size_t leaf) const noexcept { return input_of_[leaf]; }
    [[nodiscard]] const std::vector<Leaf>& leaves_of(std::size_t call) const { return leaves_.at(call); }

    /// The tensors that the calls have for a leaf; fewer than calls where some have none.
    [[nodiscard]] std::vector<at::Tensor> tensors_at(std::size_t leaf) const;
    /// Some other call in the same form.
    [[nodiscard]] std::vector<Leaf> align(const Inputs& inputs, const Inputs& constants);

private:
    [[nodiscard]] std::vector<Leaf> arrange(const Inputs& inputs, const Inputs& constants);
    void check_names(const Inputs& inputs) const;
    void check_constants(const Inputs& constants) const;
    void check_inside(const std::vector<Leaf>& leaves) const;

    const ObservedCall* fullest_;
    std::size_t first_full_ = 0;
    TreeSpec spec_;
    std::vector<std::string> paths_;
    std::vector<std::string> input_of_;
    std::vector<std::vector<Leaf>> leaves_;
    std::map<std::string, std::size_t> counts_;  // how many leaves an input had first
};

}  // namespace ferry::observe

#ifndef FERRY_COMPILED
#include <ferry/observe/aligned_calls-inl.hpp>
#endif
