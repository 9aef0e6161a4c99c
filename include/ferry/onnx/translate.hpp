#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/op_table.hpp>
#include <ferry/onnx/ir/model.hpp>
#include <ferry/onnx/names.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/program/exported_program.hpp>

#include <ATen/ops/view_as_real.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// Stage 4: a program whose every op has a translation becomes a model.
namespace ferry::onnx {

namespace detail {

class ProgramTranslator : public Translation {
public:
    ProgramTranslator(Model& model, const ExportedProgram& program, Translation::Find find)
        : Translation(model, program.ranges, find), program_(program) {}

    void translate_program(Interface& interface, bool export_params) {
        enter(program_.graph);
        add_inputs(interface, export_params);
        translate_nodes();
        add_outputs(interface);
    }

private:
    void name_interface(std::vector<std::string>& inputs);
    void add_inputs(Interface& interface, bool export_params);
    void add_outputs(Interface& interface);
    [[nodiscard]] Ref weight(const InputSpec& input);
    [[nodiscard]] Ref checked(Ref input);

    const ExportedProgram& program_;
    std::set<std::string, std::less<>> checked_;  // sizes
    std::vector<std::string> output_names_;  // one for each leaf
    std::map<std::string, at::Tensor, std::less<>> tensors_;
    std::map<std::tuple<const void*, std::int8_t, std::vector<std::int64_t>, std::vector<std::int64_t>>, Ref> weights_;
};

/// Tied tensors are one initializer.
inline Ref ProgramTranslator::weight(const InputSpec& input) {
    const auto found = tensors_.find(input.target);
    if (found == tensors_.end())
        throw Error(ErrorKind::invalid_input, "the program has no tensor for one of its inputs",
                    {.where = {.stage = "translations", .path = input.target}});
    at::Tensor tensor = found->second.detach();
    if (!tensor.device().is_cpu()) tensor = tensor.cpu();
    if (tensor.layout() != c10::kStrided)
        throw Error(ErrorKind::unsupported, "a sparse tensor is no weight of an ONNX model",
                    {.where = {.stage = "translations", .path = input.target}});
    if (tensor.is_complex()) tensor = at::view_as_real(tensor.resolve_conj());
    const Sizes sizes(tensor.sizes().begin(), tensor.sizes().end());
    auto key = std::tuple(tensor.const_data_ptr(), static_cast<std::int8_t>(tensor.scalar_type()), tensor.sizes().vec(),
                          tensor.strides().vec());
    if (tensor.numel() != 0)
        if (const auto known = weights_.find(key); known != weights_.end()) return known->second;
    const Ref made = model().add(
        {.name = input.target, .dtype = to_dtype(tensor.scalar_type()), .sizes = sizes, .constant = tensor});
    weights_.emplace(std::move(key), made);
    return made;
}

/// Where a size is one that forward does something else for, the run stops. ONNX has no op for that, but one that fails for positions
/// which are not there: those of the input's own sizes, past their end.
inline Ref ProgramTranslator::checked(Ref input) {
    const Sizes sizes = this->sizes(input);
    const auto rank = static_cast<std::int64_t>(sizes.size());
    for (const SymExpr& size : sizes) {
        const auto range = size.is_symbol() ? program_.checked_range(size.name()) : std::nullopt;
        if (!range || !checked_.insert(size.name()).second) continue;
        set_path(size.name() + " is in " + to_string(*program_.narrowed.find(size.name())));
        Ref is_out;
        if (range->max != ValueRange::no_max) is_out = add("Greater", {this->size(size), ints({range->max})});
        if (range->min != ValueRange::no_min) {
            const Ref is_below = add("Less", {this->size(size), ints({range->min})});
            is_out = is_out ? add("Or", {is_out, is_below}) : is_below;
        }
        std::vector<std::int64_t> positions(sizes.size());
        std::iota(positions.begin(), positions.end(), 0);
        const Ref past_the_end = add("Mul", {cast(is_out, DType::int64), ints({rank})});
        const Ref own = add("Gather", {add("Shape", {input}), add("Add", {ints(positions), past_the_end})});
        const Ref same = append({.op = "Reshape", .inputs = {input, own}, .is_check = true}, {dtype(input)})[0];
        input = like(same, input);
    }
    set_path({});
    return input;
}

/// Of what the model has, on both sides.
inline void ProgramTranslator::name_interface(std::vector<std::string>& inputs) {
    output_names_ = output_names(program_);
    const auto clear_absent = [](std::vector<std::string>& names, std::size_t leaf, const Argument& argument) {
        if (leaf < names.size() && !argument.is<Value>()) names[leaf].clear();
    };
    const std::vector<std::string> all = output_names_;
    std::size_t leaf = 0;
    for (const InputSpec& input : program_.signature.inputs)
        if (input.kind == InputKind::user_input) clear_absent(inputs, leaf++, input.argument);
    leaf = 0;
    for (const OutputSpec& output : program_.signature.outputs)
        if (output.kind == OutputKind::user_output || output.kind == OutputKind::loss_output)
            clear_absent(output_names_, leaf++, output.argument);
    tell_apart(inputs, output_names_);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (output_names_[i].empty()) output_names_[i] = all[i];
}

inline void ProgramTranslator::add_inputs(Interface& interface, bool export_params) {
    for (const auto* named : {&program_.state, &program_.constants})
        for (const auto& [name, tensor] : *named) tensors_.emplace(name, tensor);
    const std::vector<std::string> paths = input_names(interface.parameters);
    std::vector<std::string> names = paths;
    name_interface(names);
    std::vector<Ref> weights_as_inputs;
    std::size_t leaf = 0;
    for (const InputSpec& input : program_.signature.inputs) {
        const auto* value = input.argument.get_if<Value>();
        if (input.kind == InputKind::user_input) {
            const std::size_t at = leaf++;
            const std::string& path = at < paths.size() ? paths[at] : input.name;
            if (value == nullptr) {
                interface.fixed.push_back({.name = path, .leaf = at, .value = input.argument});
                continue;
            }
            const std::string& name = at < names.size() ? names[at] : input.name;
            const ValueInfo& info = program_.graph.info(*value);
            ValueData data{.name = name};
            if (info.kind == ValueKind::tensor) {
                data.dtype = stored_dtype(info.tensor.dtype);
                data.sizes = stored_sizes(info.tensor);
            } else {
                data.dtype = info.kind == ValueKind::sym_int     ? DType::int64
                             : info.kind == ValueKind::sym_float ? DType::float64
                                                                 : DType::boolean;
                data.sizes = Sizes{1};
            }
            static_cast<void>(element_type(data.dtype));  // refused here, with the input's name
            interface.inputs.push_back(
                {.name = data.name, .path = path, .leaf = at, .is_complex = is_complex_value(program_.graph, *value)});
            const Ref made = model().add(std::move(data));
            model().main().inputs.push_back(made);
            if (info.kind == ValueKind::sym_int) know_size(info.symbol, made);
            know_symbols(made);
            bind(*value, program_.graph.is_used(*value) ? checked(made) : made);
        } else if (input.kind == InputKind::token) {
            continue;
        } else if (input.kind == InputKind::custom_object || value == nullptr) {
            throw Error(ErrorKind::unsupported, "an input that is an object cannot stand in an ONNX model",
                        {.where = {.stage = "translations", .path = input.name}});
        } else if (program_.graph.is_used(*value)) {
            const Ref made = weight(input);
            bind(*value, made);
            if (!export_params && input.kind != InputKind::constant_tensor) {
                model()[made].constant = at::Tensor();
                weights_as_inputs.push_back(made);
            }
        }
    }
    for (const Ref each : weights_as_inputs) {
        auto& inputs = model().main().inputs;
        if (algo::contains(inputs, each)) continue;
        inputs.push_back(each);
        interface.weights.push_back(model()[each].name);
    }
}

/// The user's outputs first, then what is new of the inputs and buffers that the program writes to.
inline void ProgramTranslator::add_outputs(Interface& interface) {
    std::set<std::uint32_t> taken;  // an input, a weight or an earlier output needs a name of its own
    for (const Ref input : model().main().inputs) taken.insert(input.index);
    set_path({});
    const auto add = [&](Value value, const std::string& name) {
        Ref made = ref(value);
        const ValueInfo& info = program_.graph.info(value);
        if (info.kind != ValueKind::tensor) made = scalar_of(made);
        if (!taken.insert(made.index).second || model()[made].constant.defined()) {
            made = like(Builder::add("Identity", {made}), made);
            taken.insert(made.index);
        }
        model()[made].name = name;
        model().main().outputs.push_back(made);
    };
    std::size_t leaf = 0;
    for (const OutputSpec& output : program_.signature.outputs) {
        if (output.kind != OutputKind::user_output && output.kind != OutputKind::loss_output) continue;
        const std::string name = leaf < output_names_.size() ? output_names_[leaf] : "output." + std::to_string(leaf);
        ++leaf;
        if (const auto* value = output.argument.get_if<Value>()) {
            interface.outputs.push_back({.name = name,
                                         .kind = program_.graph.info(*value).kind,
                                         .is_complex = is_complex_value(program_.graph, *value)});
            add(*value, name);
        } else {
            interface.outputs.push_back({.name = name, .constant = output.argument, .is_constant = true});
        }
    }
    for (const OutputSpec& output : program_.signature.outputs) {
        const auto* value = output.argument.get_if<Value>();
        if (value == nullptr || output.kind == OutputKind::user_output || output.kind == OutputKind::loss_output ||
            output.kind == OutputKind::token)
            continue;
        const std::string of = output.kind == OutputKind::user_input_mutation
                                   ? name_of_input(program_, output.target, interface)
                                   : output.target;
        interface.mutated.push_back(
            {.name = of + ".mutated", .target = of, .is_complex = is_complex_value(program_.graph, *value)});
        add(*value, of + ".mutated");
    }
}

}  // namespace detail

/// The model of a program, and what its inputs and outputs are to the user.
[[nodiscard]] inline std::pair<Model, Interface> translate(const ExportedProgram& program, Translation::Find find,
                                                           std::int64_t opset, bool export_params) {
    std::pair<Model, Interface> made;
    made.first.opsets = {{"", opset}};
    made.second.parameters = parameters_of(program);
    made.second.out_spec = program.out_spec;
    detail::ProgramTranslator(made.first, program, find).translate_program(made.second, export_params);
    return made;
}

}  // namespace ferry::onnx
