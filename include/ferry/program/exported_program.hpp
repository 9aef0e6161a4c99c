#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/sym_map.hpp>
#include <ferry/graph/value_range.hpp>
#include <ferry/program/guard.hpp>
#include <ferry/program/signature.hpp>
#include <ferry/tree/leaf.hpp>
#include <ferry/tree/spec.hpp>

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {

class ProgramModule;

/// Tensors by name, in order.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// A captured model: what it computes, what it needs for that, and how its inputs and outputs are nested. A copy has a graph of
/// its own; tensors are shared.
class ExportedProgram {
public:
    ExportedProgram();
    ExportedProgram(const ExportedProgram&);
    ExportedProgram(ExportedProgram&&) noexcept;
    ExportedProgram& operator=(const ExportedProgram&);
    ExportedProgram& operator=(ExportedProgram&&) noexcept;
    ~ExportedProgram();

    Graph graph{};
    GraphSignature signature{};
    NamedTensors state{};               ///< parameters and persistent buffers
    NamedTensors constants{};  ///< other tensors of the graph: buffers that are not saved, constants made in forward
    SymMap<ValueRange> ranges{};  ///< of each dynamic size
    SymMap<ValueRange> narrowed{};  ///< of sizes for which the capture met a model that does something else beyond them
    bool takes_small_sizes = false;  ///< as Python's programs do: a lower bound of 2 or less is not checked
    std::vector<Guard> guards{};  ///< what else must be true of the sizes, where the program came from a file
    SymBindings hints{};  ///< what a dynamic size was in the example, where the program came from a file
    TreeSpec in_spec{};  ///< (positional, by name), as in Python
    TreeSpec out_spec{};
    std::vector<std::string>
        input_names{};  ///< of positional inputs, then of those by name; empty: nothing is positional
    std::vector<Leaf> example_inputs{};
    std::vector<std::string> notes{};  ///< what the capture found out about the shapes, for people

    /// Beyond which a file must not run, since forward does something else there, if there is such a size.
    [[nodiscard]] std::optional<ValueRange> checked_range(std::string_view size) const;
    /// Something to call: runs right here, with the program's own state.
    [[nodiscard]] ProgramModule module() const&;
    [[nodiscard]] ProgramModule module() &&;
    /// The program in terms of smaller ops: those of `List` as it says, and composite ops as libtorch defines them, down to
    /// core ATen. `Fakes` are those that the export's pipeline had beside the default ones. In program/run_decompositions.hpp.
    template <class List, class Fakes = fakes<>>
    [[nodiscard]] ExportedProgram run_decompositions() const;
    /// Writes a .pt2 file, which Python's torch.export.load() reads. In pt2/save.hpp.
    void save(const std::filesystem::path& path) const;
    /// The text that Python's print(program) shows.
    [[nodiscard]] std::string print() const;

    /// After a pass that gave the graph other outputs: the signature follows them.
    void renew_outputs() {
        for (std::size_t i = 0; i < signature.outputs.size(); ++i) signature.outputs[i].argument = graph.outputs()[i];
    }
};

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/program/exported_program-inl.hpp>
#endif
