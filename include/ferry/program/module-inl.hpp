#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/graph/interpreter.hpp>
#include <ferry/graph/leaf_border.hpp>
#include <ferry/graph/libtorch_errors.hpp>
#include <ferry/graph/written_inputs.hpp>
#include <ferry/program/check_inputs.hpp>
#include <ferry/program/devices.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/module.hpp>
#include <ferry/program/parameters.hpp>
#include <ferry/tree/flatten.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/tree.hpp>
#include <ferry/tree/unflatten.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/Storage.h>
#include <c10/util/Exception.h>

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry {

FERRY_INLINE ProgramModule::ProgramModule(ExportedProgram program)
    : program_(std::make_shared<const ExportedProgram>(std::move(program))),
      interpreter_(std::make_shared<Interpreter>(program_->graph)) {
    require_devices(*program_);
    for (const auto* named : {&program_->state, &program_->constants})
        for (const auto& [name, tensor] : *named) tensors_.emplace(name, tensor);
    for (const OutputSpec& output : program_->signature.outputs)
        if (output.kind == OutputKind::buffer_mutation || output.kind == OutputKind::parameter_mutation) {
            at::Tensor& tensor = tensors_.at(output.target);
            tensor = tensor.detach().clone();
        }
    own_what_is_written();
}

FERRY_INLINE Tree ProgramModule::operator()(const Inputs& inputs) {
    return {program_->out_spec, run(leaves_by_name(parameters_of(*program_), inputs))};
}

/// Programs of Python write to buffers in place. Tensors that share memory get one copy together.
FERRY_INLINE void ProgramModule::own_what_is_written() {
    const std::vector<bool> written = written_inputs(program_->graph);
    std::unordered_map<const void*, c10::Storage> copies;
    std::size_t at = 0;
    for (const InputSpec& input : program_->signature.inputs) {
        if (!input.argument.is<Value>()) continue;
        if (!written.at(at++) || input.kind == InputKind::user_input) continue;
        const c10::Storage storage = tensors_.at(input.target).storage();
        auto& copy = copies[storage.unsafeGetStorageImpl()];
        if (!copy)
            copy =
                at::empty({0}, at::TensorOptions(at::kByte).device(storage.device())).set_(storage).clone().storage();
    }
    if (copies.empty()) return;
    for (auto& [target, tensor] : tensors_) {
        const auto copy = copies.find(tensor.storage().unsafeGetStorageImpl());
        if (copy == copies.end()) continue;
        at::Tensor made = at::empty({0}, tensor.options().requires_grad(false));
        made.set_(copy->second, tensor.storage_offset(), tensor.sizes(), tensor.strides());
        tensor = made.set_requires_grad(tensor.requires_grad());
    }
}

FERRY_INLINE std::vector<Leaf> ProgramModule::leaves_of_values(std::vector<Tree> values, bool flat) const {
    const std::vector<Parameter> wanted = parameters_of(*program_);
    std::vector<Leaf> leaves;
    if (flat &&
        !(wanted.size() == 1 && values[0].spec == wanted[0].spec)) {  // one tensor for each tensor of the inputs
        auto next = values[0].leaves.begin();
        for (const InputSpec& input : program_->signature.inputs) {
            if (input.kind != InputKind::user_input) continue;
            const auto* value = input.argument.get_if<Value>();
            if (value == nullptr)
                leaves.push_back(to_leaf(input.argument));
            else if (program_->graph.info(*value).kind != ValueKind::tensor &&
                     leaves.size() < program_->example_inputs.size())
                leaves.push_back(program_->example_inputs[leaves.size()]);  // a number, as it was in the export
            else if (next != values[0].leaves.end())
                leaves.push_back(*next++);
            else
                detail::wrong_input(input, "no tensor is given for it");
        }
        if (next != values[0].leaves.end())
            throw Error(ErrorKind::invalid_input, "the program's inputs have fewer tensors than the " +
                                                      std::to_string(values[0].leaves.size()) + " that are given");
        return leaves;
    }
    if (values.size() > wanted.size())
        throw Error(ErrorKind::invalid_input, "the program takes " + std::to_string(wanted.size()) + " inputs, " +
                                                  std::to_string(values.size()) + " were given");
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (i < values.size())
            detail::append_argument(wanted[i], values[i], leaves);
        else
            detail::append_none(wanted[i], leaves);  // refused below where the export had something else
    return leaves;
}

FERRY_INLINE std::vector<c10::IValue> ProgramModule::graph_inputs(const std::vector<Leaf>& leaves) const {
    std::vector<c10::IValue> values;
    std::size_t at = 0;
    for (const InputSpec& input : program_->signature.inputs) {
        if (input.kind == InputKind::user_input) {
            const Leaf& leaf = leaves[at++];
            if (input.argument.is<Value>()) values.push_back(to_ivalue(leaf));
        } else {
            values.emplace_back(tensors_.at(input.target));
        }
    }
    return values;
}

/// Sizes and numbers that the graph itself checks are inputs that are wrong.
FERRY_INLINE std::vector<c10::IValue> ProgramModule::run_graph(const std::vector<c10::IValue>& inputs) const {
    RunWatch watch;
    const auto run = [&] { return interpreter_->run(inputs, &watch); };
    const auto running = [&] { return watch.node; };
    try {
        return with_our_errors(run, running);
    } catch (const Error& error) {
        if (error.where().op != "aten::_assert_scalar") throw;
        throw Error(ErrorKind::invalid_input, error.message(),
                    {.hint = "the model does something else there: export it with such inputs as the sample",
                     .where = error.where()});
    }
}

/// State changes last, when every output has been computed from what was there before.
FERRY_INLINE void ProgramModule::write_back(const std::vector<Leaf>& leaves, const std::vector<c10::IValue>& results) {
    const GraphSignature& signature = program_->signature;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const OutputSpec& output = signature.outputs[i];
        if (output.kind == OutputKind::buffer_mutation || output.kind == OutputKind::parameter_mutation) {
            tensors_.at(output.target) = results[i].toTensor().detach();
        } else if (output.kind == OutputKind::user_input_mutation) {
            std::size_t at = 0;
            for (const InputSpec& input : signature.inputs) {
                if (input.kind != InputKind::user_input) continue;
                if (input.name == output.target) leaves[at].tensor().copy_(results[i].toTensor());
                ++at;
            }
        }
    }
}

FERRY_INLINE std::vector<Leaf> ProgramModule::run(const std::vector<Leaf>& leaves) {
    check_inputs(*program_, leaves);
    const auto results = run_graph(graph_inputs(leaves));
    std::vector<Leaf> outputs;
    outputs.reserve(results.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (program_->signature.outputs[i].kind != OutputKind::user_output) continue;
        outputs.push_back(to_leaf(results[i]));
    }
    with_our_errors([&] { write_back(leaves, results); }, [] { return nullptr; });
    return outputs;
}

FERRY_INLINE ProgramModule ExportedProgram::module() const& { return ProgramModule(*this); }
FERRY_INLINE ProgramModule ExportedProgram::module() && { return ProgramModule(std::move(*this)); }

}  // namespace ferry
