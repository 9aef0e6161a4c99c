#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/tree/flatten.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/tree.hpp>
#include <ferry/tree/unflatten.hpp>

#include <ATen/core/Tensor.h>

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ferry {

class Interpreter;

/// A program to call, as the program was when this was made; it needs the ExportedProgram no longer. It has its own copy of
/// every buffer that it writes to. All other tensors are the program's, which are the model's: with gradients on, a run is
/// differentiable and the gradients arrive at the model's own parameters.
class ProgramModule {
public:
    explicit ProgramModule(ExportedProgram program);

    /// Called with the inputs of the export, nested and named like those, in any order.
    Tree operator()(const Inputs& inputs);

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

inline const at::Tensor& ProgramModule::tensor(std::string_view target) const {
    const auto found = tensors_.find(std::string(target));
    if (found == tensors_.end())
        throw Error(ErrorKind::invalid_input, "the program has no parameter, buffer or constant of that name",
                    {.where = {.path = std::string(target)}});
    return found->second;
}

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/program/module-inl.hpp>
#endif
