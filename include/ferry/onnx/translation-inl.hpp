#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/graph/complex_numbers.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/onnx/builder.hpp>
#include <ferry/onnx/node_arguments.hpp>
#include <ferry/onnx/translation.hpp>

#include <c10/util/Exception.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::onnx {

FERRY_INLINE void Translation::set_node(const ferry::Node& node) {
    set_current_node(node);
    set_path(node.module_path());
    first_new_ = model().num_values();
}

FERRY_INLINE void Translation::translate(const ferry::Node& node) {
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

FERRY_INLINE void Translation::run_entry() {
    const bool is_complex = is_on_complex(graph(), node());
    const Function own = is_complex ? find_(complex_name(node().op())) : nullptr;
    if (own != nullptr) return own(*this);
    const Function entry = find_(node().op());
    if (entry == nullptr) refuse("an op has no translation to ONNX");
    if (!is_complex) return entry(*this);
    if (!acts_on_parts(node().op())) refuse("an op has no translation to ONNX for complex numbers");
    translate_parts(entry);
}

FERRY_INLINE void Translation::translate_parts(Function entry) {
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
FERRY_INLINE Ref Translation::this_part(Value value) {
    const Ref whole = ref(value);
    if (is_complex_value(graph(), value)) return part_ == Part::real ? real_part(whole) : imaginary_part(whole);
    return part_ == Part::imaginary && is_floating_point(dtype(whole)) ? filled(sizes(whole), 0, dtype(whole)) : whole;
}

FERRY_INLINE std::vector<Ref> Translation::run(const Graph& graph, const std::vector<Ref>& inputs) {
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

FERRY_INLINE Ref Translation::ref(Value value) const {
    const Ref found = refs_.at(value.index);
    if (!found)
        throw Error(ErrorKind::internal, "'" + graph().info(value).name + "' is used before it is there",
                    {.where = {.stage = "translations",
                               .op = std::string(current_node() != nullptr ? current_node()->op() : "")}});
    return found;
}

FERRY_INLINE Ref Translation::to_tensor(const Argument& argument, std::string_view name) {
    if (const auto* value = argument.get_if<Value>())
        return graph().info(*value).kind != ValueKind::tensor ? scalar_of(ref(*value))
               : part_ == Part::whole                         ? ref(*value)
                                                              : this_part(*value);
    if (const auto* flag = argument.get_if<bool>()) return number(*flag, DType::boolean);
    if (const auto* number_ = argument.get_if<std::int64_t>()) return number(*number_, DType::int64);
    if (const auto* number_ = argument.get_if<double>()) return number(*number_, DType::float32);
    wrong_argument(name, "a tensor");
}

FERRY_INLINE std::vector<Ref> Translation::tensors(std::string_view name) {
    const Argument given = argument(name);
    std::vector<Ref> all;
    if (const auto* list = given.get_if<ArgumentList>()) {
        all.reserve(list->size());
        for (const Argument& item : *list) all.push_back(item.is_none() ? Ref() : to_tensor(item, name));
    }
    return all;
}

FERRY_INLINE Ref Translation::operand(std::string_view name, DType dtype) {
    const Argument given = argument(name);
    if (const auto* both = given.get_if<std::complex<double>>(); both != nullptr && part_ != Part::whole)
        return number(part_ == Part::real ? both->real() : both->imag(), dtype);
    if (part_ == Part::imaginary && !given.is<Value>()) return number(0, dtype);
    return given.is<Value>() ? cast(to_tensor(given, name), dtype) : factor(name, dtype);
}

FERRY_INLINE Ref Translation::factor(std::string_view name, DType dtype) {
    const Argument given = argument(name);
    if (const auto* flag = given.get_if<bool>()) return number(*flag, dtype);
    if (const auto* integer = given.get_if<std::int64_t>()) return number(*integer, dtype);
    if (const auto* real = given.get_if<double>()) return number(*real, dtype);
    return cast(to_tensor(given, name), dtype);
}

FERRY_INLINE void Translation::result(Ref value, std::size_t position) {
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
