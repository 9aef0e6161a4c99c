#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/executorch/emit.hpp>
#include <ferry/executorch/method.hpp>
#include <ferry/executorch/program.hpp>
#include <ferry/executorch/serialize.hpp>
#include <ferry/executorch/summary.hpp>
#include <ferry/executorch/tensor_file.hpp>
#include <ferry/files/output_file.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ferry {
namespace executorch {

/// What an ExecutorchProgram holds.
struct ExportedMethods {
    std::vector<Method> methods{};
    SharedData shared{};
};

}  // namespace executorch

FERRY_INLINE ExecutorchProgram::ExecutorchProgram(std::vector<executorch::Method> methods,
                                                  executorch::SharedData shared)
    : exported_(std::make_shared<executorch::ExportedMethods>(std::move(methods), std::move(shared))) {}

namespace executorch::detail {

/// Puts methods of several programs together.
class Combination {
public:
    void add(const std::string& name, const ExportedMethods& program) {
        if (program.methods.size() != 1)
            throw Error(
                ErrorKind::invalid_input,
                "'" + name + "' has " + std::to_string(program.methods.size()) + " methods, and one is combined",
                {.hint = "combine programs as an exporter gives them"});
        const std::vector<std::uint32_t> constants = made_.shared.constants.add(program.shared.constants),
                                         initial = made_.shared.initial_values.add(program.shared.initial_values),
                                         weights = made_.shared.weights.add(program.shared.weights);
        made_.shared.is_external = made_.shared.is_external || program.shared.is_external;
        Method method = program.methods[0];
        for (MethodValue& value : method.values)
            if (auto* tensor = std::get_if<TensorValue>(&value)) {
                if (tensor->constant != 0) tensor->constant = constants[tensor->constant - 1];
                if (tensor->initial != 0) tensor->initial = initial[tensor->initial - 1];
            }
        for (DelegateData& delegate : method.delegates)
            for (std::uint32_t& each : delegate.weights) each = weights[each - 1];
        append(name, std::move(method));
    }
    void add(const std::string& name, const ConstantMethod& constant) {
        Method method;
        const auto take = [&]<class Value>(const Value& value) {
            if constexpr (std::is_same_v<Value, std::vector<ConstantValue>>)
                for (const ConstantValue& each : value)
                    std::visit([&](const auto& one) { method.outputs.push_back(method.add(one)); }, each);
            else
                method.outputs.push_back(method.add(value));
        };
        std::visit(take, constant);
        append(name, std::move(method));
    }
    [[nodiscard]] ExportedMethods finish() { return std::move(made_); }

private:
    void append(const std::string& name, Method method) {
        if (name.empty() || algo::contains(made_.methods, name, &Method::name))
            throw Error(ErrorKind::invalid_input,
                        name.empty() ? "a method needs a name" : "two methods are called '" + name + "'");
        method.name = name;
        made_.methods.push_back(std::move(method));
    }

    ExportedMethods made_{};
};

template <class Write>
[[nodiscard]] std::string gathered(const Write& write) {
    std::string bytes;
    write([&](std::span<const std::byte> part) {
        bytes.append(reinterpret_cast<const char*>(part.data()), part.size());
    });
    return bytes;
}

}  // namespace executorch::detail

FERRY_INLINE ExecutorchProgram
ExecutorchProgram::combine(const std::vector<std::pair<std::string, ExecutorchProgram>>& programs,
                           const std::vector<std::pair<std::string, executorch::ConstantMethod>>& constants) {
    executorch::detail::Combination combination;
    for (const auto& [name, program] : programs) combination.add(name, *program.exported_);
    for (const auto& [name, constant] : constants) combination.add(name, constant);
    executorch::ExportedMethods made = combination.finish();
    return {std::move(made.methods), std::move(made.shared)};
}

FERRY_INLINE std::vector<std::string> ExecutorchProgram::methods() const {
    std::vector<std::string> names;
    for (const executorch::Method& method : exported_->methods) names.push_back(method.name);
    return names;
}

FERRY_INLINE std::vector<executorch::MethodSummary> ExecutorchProgram::inspect() const {
    return executorch::summarize_program(executorch::serialize_program(exported_->methods, exported_->shared));
}

FERRY_INLINE ExecutorchProgram ExecutorchProgram::in_one_piece() const {
    if (!exported_->shared.is_external) return *this;
    executorch::ExportedMethods made = *exported_;
    made.shared.is_external = false;
    return {std::move(made.methods), std::move(made.shared)};
}

FERRY_INLINE std::string ExecutorchProgram::buffer() const {
    return executorch::detail::gathered(
        [this](const executorch::Sink& sink) { executorch::serialize(exported_->methods, exported_->shared, sink); });
}

FERRY_INLINE std::string ExecutorchProgram::tensor_data() const {
    if (!exported_->shared.is_external) return {};
    return executorch::detail::gathered([this](const executorch::Sink& sink) {
        executorch::serialize_tensors(exported_->methods, exported_->shared, sink);
    });
}

FERRY_INLINE void ExecutorchProgram::save(const std::filesystem::path& path) const {
    const auto to = [](files::OutputFile& file) {
        return [&file](std::span<const std::byte> part) { file.write(part); };
    };
    files::OutputFile program(path);
    executorch::serialize(exported_->methods, exported_->shared, to(program));
    if (exported_->shared.is_external) {
        files::OutputFile tensors(std::filesystem::path(path).replace_extension(".ptd"));
        executorch::serialize_tensors(exported_->methods, exported_->shared, to(tensors));
        tensors.commit();
    }
    program.commit();
}

}  // namespace ferry
