#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/onnx/builder.hpp>
#include <ferry/onnx/complex_numbers.hpp>
#include <ferry/onnx/node_arguments.hpp>

#include <c10/util/Exception.h>

#include <complex>
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

inline void Translation::set_node(const ferry::Node& node) {
    set_current_node(node);
    set_path(node.module_path());
    first_new_ = model().num_values();
}

inline void Translation::translate(const ferry::Node& node) {
    set_node(node);
    const auto place = [&] {
        return ErrorPlace{
            .stage = "translations", .op = std::string(node.op()), .path = std::string(node.module_path())};
    };
    try {
        run_entry();
    } catch (const Error& error) {
        if (!error.where().op.empty()) throw;
        throw Error(error.kind(), error.message(), {.hint = error.hint(), .where = place()});
    } catch (const c10::Error& error) {
        throw Error(ErrorKind::unsupported, error.what_without_backtrace(), {.where = place()});
    }
}

inline void Translation::run_entry() {
    const bool is_complex = is_on_complex(graph(), node());
    const Function own = is_complex ? find_(complex_name(node().op())) : nullptr;
    if (own != nullptr) return own(*this);
    const Function entry = find_(node().op());
    if (entry == nullptr) refuse("an op has no translation to ONNX");
    if (!is_complex) return entry(*this);
    if (!acts_on_parts(node().op())) refuse("an op has no translation to ONNX for complex numbers");
    translate_parts(entry);
}

inline void Translation::translate_parts(Function entry) {
    std::vector<Ref> halves[2];
    for (const Part part : {Part::real, Part::imaginary}) {
        part_ = part;
        parts_.assign(num_results(), Ref());
        try {
            entry(*this);
        } catch (...) {
            part_ = Part::whole;
            throw;
        }
        halves[part == Part::real ? 0 : 1] = std::exchange(parts_, {});
    }
    part_ = Part::whole;
    for (std::size_t i = 0; i < halves[0].size(); ++i)
        if (halves[0][i]) result(pair(halves[0][i], halves[1][i]), i);
}

/// Real numbers beside complex ones have nothing imaginary; conditions and positions are what they are for either part.
inline Ref Translation::this_part(Value value) {
    const Ref whole = ref(value);
    if (is_complex_value(graph(), value)) return part_ == Part::real ? real_part(whole) : imaginary_part(whole);
    return part_ == Part::imaginary && is_floating_point(dtype(whole)) ? filled(sizes(whole), 0, dtype(whole)) : whole;
}

inline std::vector<Ref> Translation::run(const Graph& graph, const std::vector<Ref>& inputs) {
    const Graph* outer_graph = &this->graph();
    const ferry::Node* outer_node = current_node();
    std::vector<Ref> outer_refs = std::exchange(refs_, {});
    if (graph.inputs().size() != inputs.size())
        throw Error(ErrorKind::internal, "a graph of " + std::to_string(graph.inputs().size()) + " inputs was given " +
                                             std::to_string(inputs.size()));
    enter(graph);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Value input = graph.inputs()[i];
        bind(input, inputs[i]);
        if (graph.info(input).kind == ValueKind::sym_int) know_size(graph.info(input).symbol, inputs[i]);
        know_symbols(inputs[i]);
    }
    translate_nodes();
    std::vector<Ref> outputs;
    for (const Argument& output : graph.outputs()) {
        const auto* value = output.get_if<Value>();
        outputs.push_back(value != nullptr ? ref(*value) : to_tensor(output, "output"));
    }
    set_graph(outer_graph);
    refs_ = std::move(outer_refs);
    set_node(*outer_node);
    return outputs;
}

inline Ref Translation::ref(Value value) const {
    const Ref found = refs_.at(value.index);
    if (!found)
        throw Error(ErrorKind::internal, "'" + graph().info(value).name + "' is used before it is there",
                    {.where = {.stage = "translations",
                               .op = std::string(current_node() != nullptr ? current_node()->op() : "")}});
    return found;
}

inline Ref Translation::to_tensor(const Argument& argument, std::string_view name) {
    if (const auto* value = argument.get_if<Value>())
        return graph().info(*value).kind != ValueKind::tensor ? scalar_of(ref(*value))
               : part_ == Part::whole                         ? ref(*value)
                                                              : this_part(*value);
    if (const auto* flag = argument.get_if<bool>()) return number(*flag, DType::boolean);
    if (const auto* number_ = argument.get_if<std::int64_t>()) return number(*number_, DType::int64);
    if (const auto* number_ = argument.get_if<double>()) return number(*number_, DType::float32);
    wrong_argument(name, "a tensor");
}

inline std::vector<Ref> Translation::tensors(std::string_view name) {
    const Argument given = argument(name);
    std::vector<Ref> all;
    if (const auto* list = given.get_if<ArgumentList>()) {
        all.reserve(list->size());
        for (const Argument& item : *list) all.push_back(item.is_none() ? Ref() : to_tensor(item, name));
    }
    return all;
}

inline Ref Translation::operand(std::string_view name, DType dtype) {
    const Argument given = argument(name);
    if (const auto* both = given.get_if<std::complex<double>>(); both != nullptr && part_ != Part::whole)
        return number(part_ == Part::real ? both->real() : both->imag(), dtype);
    if (part_ == Part::imaginary && !given.is<Value>()) return number(0, dtype);
    return given.is<Value>() ? cast(to_tensor(given, name), dtype) : factor(name, dtype);
}

inline Ref Translation::factor(std::string_view name, DType dtype) {
    const Argument given = argument(name);
    if (const auto* flag = given.get_if<bool>()) return number(*flag, dtype);
    if (const auto* integer = given.get_if<std::int64_t>()) return number(*integer, dtype);
    if (const auto* real = given.get_if<double>()) return number(*real, dtype);
    return cast(to_tensor(given, name), dtype);
}

inline void Translation::result(Ref value, std::size_t position) {
    const Value wanted = node().output(position);
    if (!wanted) return;
    const ValueInfo& info = graph().info(wanted);
    if (info.kind == ValueKind::tensor) value = cast(value, stored_dtype(info.tensor.dtype));
    if (part_ != Part::whole && is_complex(info.tensor.dtype)) {
        parts_.at(position) = with_sizes(value, info.tensor.sizes);
        return;
    }
    ValueData& data = model()[value];
    if (value.index >= first_new_ && !data.constant.defined() && data.name.empty()) data.name = info.name;
    if (info.kind == ValueKind::tensor && (!data.sizes || value.index >= first_new_))
        data.sizes = stored_sizes(info.tensor);
    know_symbols(value);
    bind(wanted, value);
}

}  // namespace ferry::onnx
