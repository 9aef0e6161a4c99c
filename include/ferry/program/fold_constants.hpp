#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/interpreter.hpp>
#include <ferry/graph/op_effects.hpp>
#include <ferry/graph/passes/fold_constants.hpp>
#include <ferry/graph/verify.hpp>
#include <ferry/graph/written_inputs.hpp>
#include <ferry/program/exported_program.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ferry {
namespace detail {

/// Not an op over numbers alone.
[[nodiscard]] inline bool takes_values(const Node& node) {
    return algo::any_of(node.arguments(), [](const NamedArgument& each) { return holds_value(each.value); });
}

}  // namespace detail

/// What is computed once instead of in each run.
struct FoldOptions {
    std::int64_t max_bytes = std::int64_t{1} << 16;  ///< of each result that follows from constants and numbers
    /// What follows from parameters and buffers too, where it is hardly larger than these are and nothing else needs them. Not for a
    /// program whose weights may be changed before it runs.
    bool weights = false;
    /// Which ops over numbers alone stay, unless others go with them: `zeros({64})` says more than its 64 zeros.
    bool (*stays)(const Node&) = [](const Node&) { return true; };
};

namespace detail {

/// The part of a program that follows from its constants alone, as a graph of its own that runs once.
class ConstantFolder {
public:
    ConstantFolder(ExportedProgram& program, const FoldOptions& options)
        : program_(program), graph_(program.graph), options_(options), writes_(program.graph) {}

    std::size_t run() {
        origins_.assign(graph_.num_values(), Origin::unknown);
        find_tensors();
        find_part();
        if (options_.weights) settle_weights();
        copy_part();
        find_results();
        if (results_.empty()) return 0;
        std::vector<Argument> outputs;
        outputs.reserve(results_.size());
        for (const Value result : results_) outputs.emplace_back(copies_[result.index]);
        part_.set_outputs(std::move(outputs));
        const c10::NoGradGuard no_gradients;
        const auto tensors = Interpreter(part_).run(inputs_);
        for (std::size_t i = 0; i < results_.size(); ++i) {
            const at::Tensor& tensor = tensors[i].toTensor();
            if (!is_given(tensor)) add_constant(results_[i], tensor.detach().contiguous());
        }
        return clean_up();
    }

private:
    enum class Origin : std::uint8_t {
        unknown,
        constant,  ///< constants and numbers
        weight,  ///< a parameter, a buffer or a large constant, perhaps with others
    };

    /// The constants, and the weights where these are wanted. Not what the program writes to, and not fakes: they have no values.
    void find_tensors() {
        std::unordered_map<std::string_view, const at::Tensor*> tensors;
        for (const auto& [name, tensor] : program_.constants) tensors.emplace(name, &tensor);
        for (const auto& [name, tensor] : program_.state) tensors.emplace(name, &tensor);
        for (const OutputSpec& output : program_.signature.outputs)
            if (output.kind != OutputKind::user_output) tensors.erase(output.target);
        for (const InputSpec& input : program_.signature.inputs) {
            const bool is_constant = input.kind == InputKind::constant_tensor;
            const bool is_weight = input.kind == InputKind::parameter || input.kind == InputKind::buffer;
            if (!is_constant && !(is_weight && options_.weights)) continue;
            const auto found = tensors.find(input.target);
            const Value* value = input.argument.get_if<Value>();
            if (value == nullptr || found == tensors.end() || writes_.is_written(*value)) continue;
            const at::Tensor& tensor = *found->second;
            if (!tensor.defined() || tensor.is_meta()) continue;
            const bool is_large = static_cast<std::int64_t>(tensor.nbytes()) > options_.max_bytes;
            origins_[value->index] = is_weight || (is_large && options_.weights) ? Origin::weight : Origin::constant;
            given_.push_back({*value, tensor});
            weight_bytes_ += static_cast<std::int64_t>(tensor.nbytes());
        }
    }

    void find_part() {
        folded_.clear();
        in_part_.clear();
        OpEffects effects;
        for (Node& node : graph_.nodes()) {
            const bool is_in = effects.of(graph_, node) == Effect::none && is_known(node);
            const Origin origin = is_in ? origin_of(node) : Origin::unknown;
            for (const Output& output : node.outputs())
                for (const Value value : output.values) origins_[value.index] = origin;
            if (!is_in) continue;
            folded_.push_back(&node);
            in_part_.insert(&node);
        }
    }

    [[nodiscard]] Origin origin_of(const Node& node) const {
        Origin origin = Origin::constant;
        for (const NamedArgument& argument : node.arguments())
            for_each_value(argument.value, [&](Value value) { origin = std::max(origin, origins_[value.index]); });
        return origin;
    }

    /// The part becomes smaller until no file grows by it.
    void settle_weights() {
        constexpr int most_rounds = 16;
        for (int round = 0; leave_shared_weights() || leave_growth(); ++round) {
            if (round == most_rounds)
                for (const Given& given : given_)
                    if (Origin& origin = origins_[given.value.index]; origin == Origin::weight)
                        origin = Origin::unknown;
            find_part();
        }
    }

    /// A weight that something else takes as well stays in the file in any case.
    bool leave_shared_weights() {
        bool is_changed = false;
        for (const Given& given : given_) {
            Origin& origin = origins_[given.value.index];
            if (origin != Origin::weight || !leaves(given.value)) continue;
            origin = Origin::unknown;
            is_changed = true;
        }
        return is_changed;
    }

    /// What is larger than the weights that it is made of, such as those of integers in full precision, is left to each run.
    bool leave_growth() {
        const std::size_t before = left_.size();
        for (const Node* node : folded_)
            for (const Output& output : node->outputs())
                for (const Value value : output.values)
                    if (origins_[value.index] == Origin::weight && leaves(value) &&
                        bytes(graph_.info(value).tensor) > bytes_behind(value))
                        left_.insert(node);
        return left_.size() != before;
    }

    [[nodiscard]] bool leaves(Value value) const {
        const ValueInfo& info = graph_.info(value);
        return info.output_uses != 0 ||
               algo::any_of(info.users, [&](const Node* user) { return !in_part_.contains(user); });
    }

    /// All of the given tensors that a value follows from, and a little more, unless it is made wider.
    [[nodiscard]] std::int64_t bytes_behind(Value value) const {
        const auto width = [&](Value each) { return info(graph_.info(each).tensor.dtype).bytes; };
        std::int64_t total = 0;
        bool is_wider = false;
        std::unordered_set<std::uint32_t> seen{value.index};
        std::vector<Value> open{value};
        while (!open.empty()) {
            const Value last = open.back();
            open.pop_back();
            const Node* producer = graph_.info(last).producer;
            if (producer == nullptr) {
                total = saturated_sum(total, bytes(graph_.info(last).tensor));
                is_wider = is_wider || (origins_[last.index] == Origin::weight && width(last) < width(value));
                continue;
            }
            for (const NamedArgument& argument : producer->arguments())
                for_each_value(argument.value, [&](Value each) {
                    if (seen.insert(each.index).second) open.push_back(each);
                });
        }
        return is_wider ? total : saturated_sum(total, options_.max_bytes);
    }

    [[nodiscard]] static std::int64_t saturated_sum(std::int64_t a, std::int64_t b) {
        return __builtin_add_overflow(a, b, &a) ? INT64_MAX : a;
    }

    [[nodiscard]] bool is_known(const Node& node) const {
        bool known = !node.op().starts_with("higher_order::") && !left_.contains(&node), takes_weights = false;
        for (const NamedArgument& argument : node.arguments())
            for_each_value(argument.value, [&](Value value) {
                known = known && origins_[value.index] != Origin::unknown;
                takes_weights = takes_weights || origins_[value.index] == Origin::weight;
            });
        const std::int64_t largest = takes_weights ? std::max(largest_step, weight_bytes_) : options_.max_bytes;
        for (const Output& output : node.outputs())
            for (const Value value : output.values) {
                const ValueInfo& info = graph_.info(value);
                // A result that is returned stays computed: whoever gets it may write to it.
                known = known && info.kind == ValueKind::tensor && info.output_uses == 0 &&
                        bytes(info.tensor) <= largest && !writes_.is_written(value);
            }
        return known;
    }

    [[nodiscard]] std::int64_t bytes(const TensorMeta& meta) const {
        std::int64_t total = info(meta.dtype).bytes;
        for (const SymExpr& size : meta.sizes) {
            if (!size.is_constant()) return INT64_MAX;
            if (__builtin_mul_overflow(total, size.value(), &total)) return INT64_MAX;
        }
        return total;
    }

    void copy_part() {
        copies_.assign(graph_.num_values(), Value());
        for (const Given& given : given_) {
            if (origins_[given.value.index] == Origin::unknown) continue;
            const ValueInfo& info = graph_.info(given.value);
            copies_[given.value.index] = part_.add_input(info.name, {.name = {}, .tensor = info.tensor});
            inputs_.emplace_back(given.tensor);
        }
        for (const Node* node : folded_) copy(*node);
    }

    void copy(const Node& node) {
        const auto exchange = [&](Value& value) { value = copies_[value.index]; };
        std::vector<NamedArgument> arguments(node.arguments().begin(), node.arguments().end());
        for (NamedArgument& argument : arguments) for_each_value(argument.value, exchange);
        std::vector<Output> outputs(node.outputs().begin(), node.outputs().end());
        for (Output& output : outputs)
            for (Value& value : output.values)
                value = copies_[value.index] =
                    part_.new_value(graph_.info(value).name, {.name = {}, .tensor = graph_.info(value).tensor});
        part_.append(node.op(), std::move(arguments), std::move(outputs));
    }

    /// What the rest of the program takes from that part. An op over numbers alone is left where it is, if it stays.
    void find_results() {
        std::vector<bool> keep(folded_.size(), false);
        for (std::size_t i = folded_.size(); i-- > 0;) {
            const Node& node = *folded_[i];
            for (const Output& output : node.outputs())
                for (const Value value : output.values) {
                    if (!leaves(value)) continue;
                    if (takes_values(node) || !options_.stays(node))
                        results_.push_back(value);
                    else
                        keep[i] = true;
                }
        }
        std::vector<Node*> going;
        for (std::size_t i = 0; i < folded_.size(); ++i)
            if (!keep[i]) going.push_back(folded_[i]);
        folded_ = std::move(going);
        std::reverse(results_.begin(), results_.end());
    }

    /// A weight with other sizes, which cost nothing.
    [[nodiscard]] bool is_given(const at::Tensor& tensor) const {
        return tensor.is_contiguous() && algo::any_of(given_, [&](const Given& given) {
                   return origins_[given.value.index] == Origin::weight && given.tensor.nbytes() == tensor.nbytes() &&
                          given.tensor.is_contiguous() && given.tensor.const_data_ptr() == tensor.const_data_ptr();
               });
    }

    void add_constant(Value old, at::Tensor tensor) {
        auto& specs = program_.signature.inputs;
        const auto place = algo::find(specs, InputKind::user_input, &InputSpec::kind);
        std::size_t position = 0;
        for (auto spec = specs.begin(); spec != place; ++spec) position += spec->argument.is<Value>() ? 1 : 0;
        ValueInfo info{.name = {}, .tensor = graph_.info(old).tensor};
        info.tensor.strides.assign(tensor.strides().begin(), tensor.strides().end());
        const std::string target = fresh_target();
        const Value made = graph_.insert_input(position, "c_" + target, std::move(info));
        specs.insert(place, InputSpec{.kind = InputKind::constant_tensor,
                                      .argument = made,
                                      .name = graph_.info(made).name,
                                      .target = target});
        program_.constants.emplace_back(target, std::move(tensor));
        graph_.replace_uses(old, made);
    }

    [[nodiscard]] std::string fresh_target() {
        for (;;) {
            std::string target = "folded_tensor_" + std::to_string(count_++);
            if (!algo::contains(program_.constants, target,
                                [](const auto& named) -> const std::string& { return named.first; }))
                return target;
        }
    }

    std::size_t clean_up() {
        std::size_t erased = 0;
        for (std::size_t i = folded_.size(); i-- > 0;) {
            Node& node = *folded_[i];
            bool used = false;
            for (const Output& output : node.outputs())
                for (const Value value : output.values) used = used || graph_.is_used(value);
            if (used) continue;
            graph_.erase(node);
            ++erased;
        }
        std::unordered_set<std::string> gone;
        std::erase_if(program_.signature.inputs, [&](const InputSpec& input) {
            const Value* value = input.argument.get_if<Value>();
            const bool is_taken = value != nullptr && value->index < copies_.size() && copies_[value->index];
            if (!is_taken || graph_.is_used(*value)) return false;
            gone.insert(input.target);
            graph_.erase_input(*value);
            return true;
        });
        const auto is_gone = [&](const auto& named) { return gone.contains(named.first); };
        std::erase_if(program_.constants, is_gone);
        std::erase_if(program_.state, is_gone);
        debug_verify(graph_);
        return erased;
    }

    static constexpr std::int64_t largest_step = std::int64_t{1}
                                                 << 24;  ///< in bytes, on the way from weights to a result

    struct Given {
        Value value;
        at::Tensor tensor;
    };

    ExportedProgram& program_;
    Graph& graph_;
    const FoldOptions& options_;
    WrittenInputs writes_;
    Graph part_;
    std::vector<c10::IValue> inputs_;  // of the part
    std::vector<Given> given_;
    std::int64_t weight_bytes_ = 0;
    std::vector<Origin> origins_;  // of each value of the program
    std::vector<Value> copies_;  // in the part, or nothing
    std::vector<Node*> folded_;
    std::unordered_set<const Node*> in_part_;
    std::unordered_set<const Node*> left_;  // to each run
    std::vector<Value> results_;
    std::size_t count_ = 0;
};

}  // namespace detail

/// Computes once what follows from the program's constants and from numbers alone, and makes it a constant; sizes that are known too.
/// Returns how many nodes went.
inline std::size_t fold_constants(ExportedProgram& program, const FoldOptions& options = {}) {
    const std::size_t sizes = fold_constants(program.graph);
    const std::size_t tensors = detail::ConstantFolder(program, options).run();
    program.renew_outputs();
    return sizes + tensors;
}

}  // namespace ferry
