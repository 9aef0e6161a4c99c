// How captures are tested: the program against the model itself, at sizes that the capture has not seen.
#pragma once

#include <ferry/dynamo/config.hpp>
#include <ferry/dynamo/model_adapter.hpp>
#include <ferry/program/module.hpp>

#include <torch/types.h>

#include <concepts>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace ferry_test {

/// A model without its type, so that the exporter is compiled once and not with each test. What an exporter does with a model is
/// in its model_adapter, which is used here as it is.
struct AnyModel {
    struct Guard {
        std::function<void()> keep_changes{[] {}};
        std::function<void()> put_back{[] {}};
    };

    std::function<ferry::Tree(const ferry::Inputs&)> call;
    ferry::ModelState state{};
    std::function<Guard()> guard{[] { return Guard(); }};
};

template <class Pytrees = ferry::pytrees<>, class Model>
[[nodiscard]] AnyModel any_model(Model& model) {
    using Adapter = ferry::model_adapter<Model>;
    AnyModel any{
        .call = [&model](const ferry::Inputs& inputs) { return Adapter::template call<Pytrees>(model, inputs); },
        .state = Adapter::state(model)};
    if constexpr (requires {  // there is nothing to guard about other callables
                      requires ferry::detail::is_module_tree<typename Adapter::Inner>;
                  })
        any.guard = [&model] {
            const auto guard = std::make_shared<typename Adapter::Guard>(Adapter::guard(model));
            return AnyModel::Guard{.keep_changes = [guard] { guard->keep_changes(); },
                                   .put_back = [guard] { guard->put_back(); }};
        };
    return any;
}

/// DynamoExporter{}.export_model.
[[nodiscard]] ferry::ExportedProgram export_any(const AnyModel& model, const ferry::Inputs& inputs,
                                                const ferry::DynamoConfig& config);

/// Whether a program does what the model does: outputs, buffers afterwards, inputs afterwards. The model's buffers are put back.
/// Integers and bools must be equal; the program calls the kernels that the model calls, so that others may differ by little more
/// than rounding.
void check_same(const AnyModel& model, const ferry::ExportedProgram& program, const ferry::Inputs& inputs);

[[nodiscard]] inline const ferry::DynamoConfig& dynamic() {
    static const ferry::DynamoConfig config{.dynamic = true};
    return config;
}

/// Captures with `inputs`, and compares with eager there and at `others`.
ferry::ExportedProgram check_any(const AnyModel& model, const ferry::Inputs& inputs, const ferry::DynamoConfig& config,
                                 const std::vector<ferry::Inputs>& others);

template <class Pytrees = ferry::pytrees<>, class Model>
ferry::ExportedProgram check_capture(Model&& model, const ferry::Inputs& inputs, const ferry::DynamoConfig& config,
                                     const std::vector<ferry::Inputs>& others) {
    return check_any(any_model<Pytrees>(model), inputs, config, others);
}

using Sizes = std::vector<std::int64_t>;

/// A model of one tensor of floats, captured dynamic in all dimensions.
template <class Model>
ferry::ExportedProgram check_sizes(const char* name, Model&& model, const Sizes& sample,
                                   std::initializer_list<Sizes> others) {
    INFO("model: ", std::string(name));
    std::vector<ferry::Inputs> inputs;
    for (const Sizes& sizes : others) inputs.push_back(ferry::inputs("x", at::randn(sizes)));
    AnyModel any;
    if constexpr (requires {
                      { model(at::Tensor()) } -> std::same_as<at::Tensor>;
                  })  // compiles in less time than what the exporter does
        any = {.call =
                   [&](const ferry::Inputs& x) {
                       return ferry::Tree(ferry::Leaf(model(x.begin()->second.leaves.at(0).tensor())));
                   },
               .state = ferry::state_of(model)};
    else
        any = any_model(model);
    return check_any(any, ferry::inputs("x", at::randn(sample)), dynamic(), inputs);
}

/// What an export that must fail says.
[[nodiscard]] std::string refusal_of(const AnyModel& model, const ferry::Inputs& inputs,
                                     const ferry::DynamoConfig& config = dynamic());
template <class Model>
[[nodiscard]] std::string refusal(Model&& model, const ferry::Inputs& inputs,
                                  const ferry::DynamoConfig& config = dynamic()) {
    return refusal_of(any_model(model), inputs, config);
}

}  // namespace ferry_test
