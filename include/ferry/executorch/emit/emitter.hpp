#pragma once

#include <ferry/core/error.hpp>
#include <ferry/executorch/config.hpp>
#include <ferry/executorch/emit.hpp>
#include <ferry/executorch/kernels.hpp>
#include <ferry/executorch/method.hpp>
#include <ferry/executorch/method_builder.hpp>
#include <ferry/executorch/size_code.hpp>
#include <ferry/executorch/xnnpack/schedule.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/program/exported_program.hpp>

#include <ATen/core/function_schema.h>
#include <ATen/core/jit_type.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry::executorch::detail {

/// Walks through a program and writes a method. What it does with nodes is in calls.hpp and control_flow.hpp, with inputs and outputs in
/// interface.hpp.
class Emitter {
public:
    Emitter(const ExportedProgram& program, const std::string& name, const SymRanges& limits, Kernels& kernels,
            const xnnpack::Delegation* delegation, SharedData& shared, const ExecutorchConfig& config)
        : program_(program),
          limits_(limits),
          kernels_(kernels),
          delegation_(delegation),
          shared_(shared),
          config_(config),
          builder_(name) {}

    [[nodiscard]] Method emit() {
        enter(program_.graph);
        find_state();
        add_inputs();
        check_sizes();
        emit_nodes();
        write_back();
        add_outputs();
        return std::move(builder_.method());
    }

private:
    /// The values of one graph; those inside it are emitted in scopes of their own.
    struct Scope {
        const Graph* graph = nullptr;
        std::vector<Id> ids{};
    };

    [[nodiscard]] const Graph& graph() const noexcept { return *scope_.graph; }
    [[nodiscard]] const ValueInfo& info_of(Value value) const { return graph().info(value); }
    void enter(const Graph& graph) { scope_ = {&graph, std::vector<Id>(graph.num_values(), no_value)}; }
    void bind(Value value, Id id) { scope_.ids.at(value.index) = id; }
    [[nodiscard]] Id id_of(Value value);

    void add_inputs();
    void check_sizes();
    void find_state();
    [[nodiscard]] Id add_state(const InputSpec& input, Value value);
    void add_outputs();
    void write_back();

    void emit_nodes();
    void emit_node(const Node& node);
    void emit_delegate(const xnnpack::Step& step);
    void emit_kernel(const Node& node, const Kernel& kernel);
    void emit_view(const Node& node);
    void bind_view(Value made, Id base);
    [[nodiscard]] bool may_be_empty(Value value) const;
    void emit_number(const Node& node);
    void emit_cond(const Node& node);
    void emit_loop(const Node& node);
    void emit_scan(const Node& node);
    [[nodiscard]] std::vector<Id> emit_body(const Argument& body, const std::vector<Id>& operands);
    [[nodiscard]] std::vector<Id> given(const Node& node, std::string_view list);
    [[nodiscard]] std::vector<Id> begin_carrying(const std::vector<Id>& values);
    void carry_on(const std::vector<Id>& values, const std::vector<Id>& carried);
    void keep_through(std::size_t first_instruction);
    [[nodiscard]] Id copy(Id tensor);

    [[nodiscard]] TensorValue describe(const TensorMeta& meta, std::string_view what) const;
    [[nodiscard]] Id new_tensor(Value value);
    [[nodiscard]] std::vector<Value> bind_results(const Node& node, const std::vector<Id>& ids);
    [[nodiscard]] Id argument(const Argument& argument, const c10::Type& type);
    [[nodiscard]] Id number_as_tensor(const Argument& number);
    [[nodiscard]] Id tensor_of(Id number, DType dtype);
    [[nodiscard]] Argument argument_of(const Node& node, const c10::Argument& wanted) const;
    [[noreturn]] void refuse(const std::string& what) const {
        throw Error(ErrorKind::unsupported, what,
                    {.where = {.stage = "emission",
                               .op = node_ != nullptr ? std::string(node_->op()) : "",
                               .path = node_ != nullptr ? std::string(node_->module_path()) : ""}});
    }

    const ExportedProgram& program_;
    const SymRanges& limits_;
    Kernels& kernels_;
    const xnnpack::Delegation* delegation_;
    SharedData& shared_;
    const ExecutorchConfig& config_;
    MethodBuilder builder_;
    SizeCode sizes_{builder_};
    Scope scope_;
    std::set<std::string_view> written_;                                ///< what the program gives another value
    std::unordered_map<std::string_view, const at::Tensor*> tensors_;   ///< parameters, buffers and constants
    std::unordered_map<std::uint32_t, const InputSpec*> state_;  ///< inputs of the graph that are none of the method
    const Node* node_ = nullptr;
};

}  // namespace ferry::executorch::detail
