#pragma once

#include <ferry/graph/complex_numbers.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/onnx/builder.hpp>
#include <ferry/onnx/node_arguments.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::onnx {

/// The node that is up, and the model that is being built. Results take their dtype, sizes and names from the graph: an entry only computes.
class Translation : public Builder, public NodeArguments {
public:
    using Function = void (*)(Translation&);
    using Find = Function (*)(std::string_view op);

    Translation(Model& model, const SymRanges& ranges, Find find) : Builder(model, ranges), find_(find) {}

    // Arguments that are values of the model.
    /// A tensor; a number where a tensor may stand is one without dimensions.
    [[nodiscard]] Ref tensor(std::string_view name) { return to_tensor(argument(name), name); }
    [[nodiscard]] Ref optional_tensor(std::string_view name) { return has(name) ? tensor(name) : Ref(); }
    [[nodiscard]] std::vector<Ref> tensors(std::string_view name);
    /// A tensor or number, in this dtype.
    [[nodiscard]] Ref operand(std::string_view name, DType dtype);
    /// A number that something is multiplied by.
    [[nodiscard]] Ref factor(std::string_view name, DType dtype);
    /// The same in the result's dtype, or in float32 for half precision: what several nodes compute must be rounded once, as by a kernel.
    [[nodiscard]] Ref wide_operand(std::string_view name) { return operand(name, wide(result_dtype())); }
    [[nodiscard]] static DType wide(DType dtype) {
        return dtype == DType::float16 || dtype == DType::bfloat16 ? DType::float32 : dtype;
    }

    void result(Ref value, std::size_t position = 0);
    /// The value that stands for one of the graph.
    [[nodiscard]] Ref ref(Value value) const;

    /// Another graph's nodes in this place: what its outputs are for these inputs.
    [[nodiscard]] std::vector<Ref> run(const Graph& graph, const std::vector<Ref>& inputs);

protected:
    void enter(const Graph& graph) {
        set_graph(&graph);
        refs_.assign(graph.num_values(), Ref());
    }
    void translate_nodes() {
        for (const ferry::Node& each : graph().nodes()) translate(each);
    }
    void bind(Value value, Ref ref) { refs_.at(value.index) = ref; }

private:
    [[nodiscard]] Ref to_tensor(const Argument& argument, std::string_view name);
    void set_node(const ferry::Node& node);
    void translate(const ferry::Node& node);
    void run_entry();
    void translate_parts(Function entry);
    [[nodiscard]] Ref this_part(Value value);

    /// Of complex numbers, while an entry for real ones runs on either part of them.
    enum class Part : std::uint8_t { whole, real, imaginary };

    Find find_;
    std::vector<Ref> refs_;  // by the number of the graph's value
    std::size_t first_new_ = 0;  // values from here on were made for this node
    Part part_ = Part::whole;
    std::vector<Ref> parts_;  // results of the entry on one part
};

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/translation-inl.hpp>
#endif
