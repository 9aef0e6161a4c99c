#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/find_op.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/higher_order.hpp>
#include <ferry/graph/ivalue.hpp>
#include <ferry/graph/run_higher_order.hpp>

#include <ATen/core/dispatch/Dispatcher.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Calls of ops that write to their arguments, in graphs without writes: `auto_functionalized` has the op write to copies, and
/// returns these behind what the op returns. In its second version the copies are of whole tensors, of which the arguments are views.
namespace ferry {

/// The op that such a node calls.
[[nodiscard]] inline std::string mutable_op(const Node& node) {
    const Argument* given = node.find(mutable_op_argument);
    const auto* name = given == nullptr ? nullptr : given->get_if<std::string>();
    if (name == nullptr)
        throw Error(ErrorKind::invalid_input, "a call does not say which op it makes",
                    {.where = {.op = std::string(node.op()), .path = std::string(node.module_path())}});
    return *name;
}

namespace detail {

/// One run of such a node.
class FunctionalizedCall {
public:
    FunctionalizedCall(const Node& node, const c10::OperatorHandle& op, std::function<c10::IValue(Value)> lookup)
        : node_(node), op_(op), lookup_(std::move(lookup)) {}

    [[nodiscard]] BoxedValues run() {
        const bool by_bases = node_.find("_all_bases") != nullptr || node_.op().ends_with("_v2");
        if (by_bases)
            if (const Argument* bases = node_.find("_all_bases"))
                for (const Argument& base : items_of(*bases)) copies_.push_back(copy(value_of(base).toTensor()));
        torch::jit::Stack stack;
        for (const c10::Argument& wanted : op_.schema().arguments()) {
            const bool is_written = wanted.alias_info() != nullptr && wanted.alias_info()->isWrite();
            if (is_written)
                stack.push_back(by_bases ? view_of_base(wanted) : copied(wanted));
            else if (const Argument* given = node_.find(wanted.name()))
                stack.push_back(to_ivalue(*given, *wanted.real_type(), lookup_));
            else
                stack.push_back(wanted.default_value().value_or(c10::IValue()));
        }
        op_.callBoxed(stack);
        BoxedValues results(stack.begin(), stack.end());
        if (results.empty()) results.emplace_back();  // None
        for (const at::Tensor& each : copies_) results.emplace_back(each);
        return results;
    }

private:
    [[noreturn]] void refuse(const std::string& what) const {
        throw Error(ErrorKind::invalid_input, what,
                    {.where = {.op = std::string(node_.op()), .path = std::string(node_.module_path())}});
    }
    [[nodiscard]] c10::IValue value_of(const Argument& argument) const {
        return to_ivalue(argument, *c10::AnyType::get(), lookup_);
    }
    [[nodiscard]] const ArgumentList& items_of(const Argument& argument) const {
        const auto* list = argument.get_if<ArgumentList>();
        if (list == nullptr) refuse("a list of tensors is expected");
        return *list;
    }
    [[nodiscard]] static at::Tensor copy(const at::Tensor& tensor) {
        if (!tensor.defined()) return tensor;
        const at::Tensor made = tensor.new_empty_strided(tensor.sizes(), tensor.strides());
        made.copy_(tensor);
        return made;
    }

    /// The first version: arguments are there by their names.
    [[nodiscard]] c10::IValue copied(const c10::Argument& wanted) {
        const Argument* given = node_.find(wanted.name());
        if (given == nullptr || given->is_none()) {
            copies_.emplace_back();
            return {};
        }
        const c10::IValue value = to_ivalue(*given, *wanted.real_type(), lookup_);
        if (!value.isTensor()) refuse("an op that writes to a list of tensors cannot be run");
        return copies_.emplace_back(copy(value.toTensor()));
    }

    [[nodiscard]] c10::IValue view_of_base(const c10::Argument& wanted) const {
        const std::string prefix = "_" + wanted.name();
        const Argument* length = node_.find(prefix + "_length");
        if (length == nullptr) return view(prefix);
        if (length->is_none()) return {};
        c10::List<at::Tensor> views;
        const std::int64_t count = integer(prefix + "_length");
        for (std::int64_t i = 0; i < count; ++i)
            views.push_back(view(prefix + "_" + std::to_string(i)).to<at::Tensor>());
        return views;
    }
    [[nodiscard]] c10::IValue view(const std::string& prefix) const {
        const Argument* which = node_.find(prefix + "_base_index");
        if (which == nullptr) refuse("nothing is said about the argument '" + prefix + "'");
        if (which->is_none()) return {};
        const std::int64_t index = integer(prefix + "_base_index");
        if (index < 0 || static_cast<std::size_t>(index) >= copies_.size())
            refuse("a tensor is named that is not there");
        const at::Tensor& base = copies_[static_cast<std::size_t>(index)];
        if (node_.find(prefix + "_storage_offset") != nullptr)
            return base.as_strided(integers(prefix + "_size"), integers(prefix + "_stride"),
                                   integer(prefix + "_storage_offset"));
        if (node_.find(prefix + "_slice_dim") != nullptr)
            return base.slice(integer(prefix + "_slice_dim"), integer(prefix + "_slice_start"),
                              integer(prefix + "_slice_end"));
        return base;
    }
    [[nodiscard]] std::int64_t integer(const std::string& name) const {
        const Argument* given = node_.find(name);
        if (given == nullptr) refuse("the argument '" + name + "' is missing");
        return integer(*given);
    }
    [[nodiscard]] std::int64_t integer(const Argument& argument) const {
        const c10::IValue value = value_of(argument);
        if (!value.isInt()) refuse("an integer is expected");
        return value.toInt();
    }
    [[nodiscard]] std::vector<std::int64_t> integers(const std::string& name) const {
        const Argument* given = node_.find(name);
        if (given == nullptr) refuse("the argument '" + name + "' is missing");
        std::vector<std::int64_t> made;
        for (const Argument& item : items_of(*given)) made.push_back(integer(item));
        return made;
    }

    const Node& node_;
    const c10::OperatorHandle& op_;
    std::function<c10::IValue(Value)> lookup_;
    std::vector<at::Tensor> copies_;
};

}  // namespace detail
}  // namespace ferry
