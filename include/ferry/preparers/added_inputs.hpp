#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/forward_parameters.hpp>
#include <ferry/tree/inputs.hpp>

#include <ATen/core/Tensor.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace ferry {

/// The inputs, as what computes more of them sees them: it adds what forward takes and the user did not give, and drops what
/// forward does not take. Where the model does not name forward's parameters, nothing changes.
class AddedInputs {
public:
    /// `prefix` is in front of the names: images and videos of one model have the same ones.
    AddedInputs(Inputs& inputs, std::span<const std::string_view> parameters, std::string prefix = {})
        : inputs_(&inputs), parameters_(parameters), prefix_(std::move(prefix)) {}

    template <class Model>
    [[nodiscard]] static AddedInputs of(Inputs& inputs) {
        return {inputs, detail::parameter_names<Model>()};
    }
    [[nodiscard]] AddedInputs with_prefix(std::string prefix) const {
        return {*inputs_, parameters_, std::move(prefix)};
    }

    [[nodiscard]] bool may_change() const { return !parameters_.empty(); }
    [[nodiscard]] const Inputs& all() const { return *inputs_; }
    [[nodiscard]] std::string name(std::string_view name) const { return prefix_ + std::string(name); }
    [[nodiscard]] bool has(std::string_view name) const { return inputs_->has(prefix_ + std::string(name)); }
    /// Undefined where it was not given.
    [[nodiscard]] at::Tensor tensor(std::string_view name) const {
        return has(name) ? inputs_->get<at::Tensor>(prefix_ + std::string(name)) : at::Tensor();
    }
    [[nodiscard]] bool wants(std::string_view name) const { return takes(name) && !has(name); }

    template <class Make>
    void add(std::string_view name, const Make& make) {
        if (wants(name)) inputs_->set(prefix_ + std::string(name), make());
    }
    void drop(std::string_view name) {
        if (may_change() && !takes(name)) inputs_->erase(prefix_ + std::string(name));
    }

private:
    [[nodiscard]] bool takes(std::string_view name) const {
        return algo::find(parameters_, prefix_ + std::string(name)) != parameters_.end();
    }

    Inputs* inputs_;
    std::span<const std::string_view> parameters_;
    std::string prefix_;
};

}  // namespace ferry
