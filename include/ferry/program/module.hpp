#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/graph/interpreter.hpp>
#include <ferry/graph/sym_print.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/tree/flatten.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/tree.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry {

/// A program to call. It has its own copy of every buffer that it writes to; all other tensors are the program's.
class ProgramModule {
public:
    explicit ProgramModule(const ExportedProgram& program);

    /// Called with the inputs of the export, nested and named like those.
    Tree operator()(const Inputs& inputs);
    /// Called with leaves in order; constants among them must be those of the export.
    [[nodiscard]] std::vector<Leaf> run(const std::vector<Leaf>& leaves);

    /// The tensor that stands for a parameter, buffer or constant now.
    [[nodiscard]] const at::Tensor& tensor(std::string_view target) const;

private:
    void check(const std::vector<Leaf>& leaves) const;

    const ExportedProgram* program_;
    std::shared_ptr<const Interpreter> interpreter_;
    std::unordered_map<std::string, at::Tensor> tensors_;
};

namespace detail {

[[noreturn]] inline void wrong_input(const InputSpec& input, const std::string& what, std::string hint = {}) {
    throw Error(ErrorKind::invalid_input, what, {.hint = std::move(hint), .where = {.path = input.name}});
}

}  // namespace detail

inline ProgramModule::ProgramModule(const ExportedProgram& program)
    : program_(&program), interpreter_(std::make_shared<Interpreter>(program.graph)) {
    for (const auto* named : {&program.state, &program.constants})
        for (const auto& [name, tensor] : *named) tensors_.emplace(name, tensor);
    for (const OutputSpec& output : program.signature.outputs)
        if (output.kind == OutputKind::buffer_mutation || output.kind == OutputKind::parameter_mutation) {
            at::Tensor& tensor = tensors_.at(output.target);
            tensor = tensor.detach().clone();
        }
}

inline const at::Tensor& ProgramModule::tensor(std::string_view target) const {
    const auto found = tensors_.find(std::string(target));
    if (found == tensors_.end())
        throw Error(ErrorKind::invalid_input, "the program has no parameter, buffer or constant of that name", {.where = {.path = std::string(target)}});
    return found->second;
}

/// Sizes bind the symbols that they consist of alone; everything else must agree with them.
inline void ProgramModule::check(const std::vector<Leaf>& leaves) const {
    SymBindings bindings;
    std::size_t at = 0;
    const auto for_each_size = [&](auto&& visit) {
        at = 0;
        for (const InputSpec& input : program_->signature.inputs) {
            if (input.kind != InputKind::user_input) continue;
            const Leaf& leaf = leaves[at++];
            const auto* value = input.argument.get_if<Value>();
            if (value == nullptr) continue;
            if (!leaf.is_tensor() || !leaf.tensor().defined()) detail::wrong_input(input, "a tensor is expected");
            const TensorMeta& meta = program_->graph.info(*value).tensor;
            const at::Tensor& tensor = leaf.tensor();
            if (static_cast<std::size_t>(tensor.dim()) != meta.sizes.size())
                detail::wrong_input(input, "a tensor of " + std::to_string(meta.sizes.size()) + " dimensions is expected, this one has " +
                                               std::to_string(tensor.dim()));
            if (to_dtype(tensor.scalar_type()) != meta.dtype)
                detail::wrong_input(input, "a tensor of " + std::string(info(meta.dtype).torch_name) + " is expected, this one is " +
                                               std::string(info(to_dtype(tensor.scalar_type())).torch_name));
            for (std::size_t dim = 0; dim < meta.sizes.size(); ++dim) visit(input, dim, meta.sizes[dim], tensor.size(static_cast<std::int64_t>(dim)));
        }
    };
    for_each_size([&](const InputSpec& input, std::size_t dim, const SymExpr& expected, std::int64_t size) {
        if (!expected.is_symbol() || bindings.find(expected.name()) != nullptr) return;
        const ValueRange* range = program_->ranges.find(expected.name());
        if (range != nullptr && !range->contains(size))
            detail::wrong_input(input, "dimension " + std::to_string(dim) + " is " + std::to_string(size) + ", outside " + to_string(*range) +
                                           ", the range of '" + expected.name() + "'",
                                "export with a range that has this size in it");
        bindings.set(expected.name(), size);
    });
    for_each_size([&](const InputSpec& input, std::size_t dim, const SymExpr& expected, std::int64_t size) {
        const std::int64_t wanted = evaluate(expected, bindings);
        if (wanted != size)
            detail::wrong_input(input, "dimension " + std::to_string(dim) + " must be " +
                                           (expected.is_constant() ? std::to_string(wanted) : to_string(expected) + " = " + std::to_string(wanted)) +
                                           ", this one is " + std::to_string(size),
                                expected.is_constant() ? "export with this dimension dynamic" : "");
    });
}

inline std::vector<Leaf> ProgramModule::run(const std::vector<Leaf>& leaves) {
    const auto& signature = program_->signature;
    std::size_t expected = 0;
    for (const InputSpec& input : signature.inputs) expected += input.kind == InputKind::user_input ? 1 : 0;
    if (leaves.size() != expected)
        throw Error(ErrorKind::invalid_input, "the program takes " + std::to_string(expected) + " inputs, " + std::to_string(leaves.size()) + " were given");
    check(leaves);
    std::vector<c10::IValue> values;
    std::size_t at = 0;
    for (const InputSpec& input : signature.inputs) {
        if (input.kind == InputKind::user_input) {
            const Leaf& leaf = leaves[at++];
            if (input.argument.is<Value>()) values.emplace_back(leaf.tensor());
        } else {
            values.emplace_back(tensors_.at(input.target));
        }
    }
    const auto results = interpreter_->run(values);
    std::vector<Leaf> outputs;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const OutputSpec& output = signature.outputs[i];
        if (output.kind == OutputKind::user_output) {
            const c10::IValue& result = results[i];
            if (result.isTensor()) outputs.emplace_back(result.toTensor());
            else if (result.isInt()) outputs.emplace_back(result.toInt());
            else if (result.isDouble()) outputs.emplace_back(result.toDouble());
            else if (result.isBool()) outputs.emplace_back(result.toBool());
            else if (result.isString()) outputs.emplace_back(result.toStringRef());
            else outputs.emplace_back();
        }
    }
    // State changes last, when every output has been computed from what was there before.
    for (std::size_t i = 0; i < results.size(); ++i) {
        const OutputSpec& output = signature.outputs[i];
        if (output.kind == OutputKind::buffer_mutation || output.kind == OutputKind::parameter_mutation) {
            tensors_.at(output.target) = results[i].toTensor().detach();
        } else if (output.kind == OutputKind::user_input_mutation) {
            at = 0;
            for (const InputSpec& input : signature.inputs) {
                if (input.kind != InputKind::user_input) continue;
                if (input.name == output.target) leaves[at].tensor().copy_(results[i].toTensor());
                ++at;
            }
        }
    }
    return outputs;
}

inline Tree ProgramModule::operator()(const Inputs& inputs) {
    Tree given = inputs.tree();
    const TreeSpec& by_name = program_->in_spec.children().at(1);
    if (!(given.spec == by_name))
        throw Error(ErrorKind::invalid_input, "the inputs are not nested like those of the export",
                    {.hint = "expected " + by_name.str() + "\n  found " + given.spec.str()});
    return {program_->out_spec, run(given.leaves)};
}

inline ProgramModule ExportedProgram::module() const { return ProgramModule(*this); }

}  // namespace ferry
