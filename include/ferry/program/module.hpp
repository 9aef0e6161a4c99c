#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/interpreter.hpp>
#include <ferry/graph/leaf_border.hpp>
#include <ferry/graph/libtorch_errors.hpp>
#include <ferry/graph/written_inputs.hpp>
#include <ferry/program/check_inputs.hpp>
#include <ferry/program/devices.hpp>
#include <ferry/program/exported_program.hpp>
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

/// A program to call, as the program was when this was made; it needs the ExportedProgram no longer. It has its own copy of
/// every buffer that it writes to. All other tensors are the program's, which are the model's: with gradients on, a run is
/// differentiable and the gradients arrive at the model's own parameters.
class ProgramModule {
public:
    explicit ProgramModule(ExportedProgram program);

    /// Called with the inputs of the export, nested and named like those, in any order.
    Tree operator()(const Inputs& inputs) {
        return {program_->out_spec, run(leaves_by_name(parameters_of(*program_), inputs))};
    }

    /// Called like the model's forward: C++ values in the order of the inputs; what is left out at the end must be None in the
    /// export. Or with all tensors of the inputs, flat, as one std::vector.
    template <class... Values>
        requires(sizeof...(Values) > 0 && !(std::same_as<Values, Inputs> || ...))
    Tree operator()(const Values&... values) {
        return call<Tree>(values...);
    }

    /// The same, with what comes out as a C++ value: `module.call<std::tuple<at::Tensor, at::Tensor>>(ids, mask)`.
    template <class Result, class Pytrees = pytrees<>, class... Values>
    Result call(const Values&... values) {
        Tree result(program_->out_spec,
                    run(leaves_of_values({tree::detail::to_tree<Pytrees>(values)...}, is_flat<Values...>)));
        if constexpr (std::same_as<Result, Tree>)
            return result;
        else
            return tree::unflatten<Result, Pytrees>(result);
    }

    /// Called with leaves in order; constants among them must be those of the export.
    [[nodiscard]] std::vector<Leaf> run(const std::vector<Leaf>& leaves);

    /// The tensor that stands for a parameter, buffer or constant now.
    [[nodiscard]] const at::Tensor& tensor(std::string_view target) const;

    [[nodiscard]] const ExportedProgram& program() const noexcept { return *program_; }

private:
    template <class... Values>
    static constexpr bool is_flat = sizeof...(Values) == 1 && (std::same_as<Values, std::vector<at::Tensor>> && ...);

    [[nodiscard]] std::vector<Leaf> leaves_of_values(std::vector<Tree> values, bool flat) const;
    [[nodiscard]] std::vector<c10::IValue> graph_inputs(const std::vector<Leaf>& leaves) const;
    [[nodiscard]] std::vector<c10::IValue> run_graph(const std::vector<c10::IValue>& inputs) const;
    void own_what_is_written();
    void write_back(const std::vector<Leaf>& leaves, const std::vector<c10::IValue>& results);

    std::shared_ptr<const ExportedProgram> program_;        // shared by copies of this module
    std::shared_ptr<const Interpreter> interpreter_;        // of the graph in there
    std::unordered_map<std::string, at::Tensor> tensors_;   // by target
};

inline ProgramModule::ProgramModule(ExportedProgram program)
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

/// Programs of Python write to buffers in place. Tensors that share memory get one copy together.
inline void ProgramModule::own_what_is_written() {
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

inline const at::Tensor& ProgramModule::tensor(std::string_view target) const {
    const auto found = tensors_.find(std::string(target));
    if (found == tensors_.end())
        throw Error(ErrorKind::invalid_input, "the program has no parameter, buffer or constant of that name",
                    {.where = {.path = std::string(target)}});
    return found->second;
}

inline std::vector<Leaf> ProgramModule::leaves_of_values(std::vector<Tree> values, bool flat) const {
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

inline std::vector<c10::IValue> ProgramModule::graph_inputs(const std::vector<Leaf>& leaves) const {
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
inline std::vector<c10::IValue> ProgramModule::run_graph(const std::vector<c10::IValue>& inputs) const {
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
inline void ProgramModule::write_back(const std::vector<Leaf>& leaves, const std::vector<c10::IValue>& results) {
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

inline std::vector<Leaf> ProgramModule::run(const std::vector<Leaf>& leaves) {
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

inline ProgramModule ExportedProgram::module() const& { return ProgramModule(*this); }
inline ProgramModule ExportedProgram::module() && { return ProgramModule(std::move(*this)); }

}  // namespace ferry
