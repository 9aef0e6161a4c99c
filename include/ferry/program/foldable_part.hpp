#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/graph/op_effects.hpp>
#include <ferry/graph/written_inputs.hpp>
#include <ferry/program/exported_program.hpp>

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ferry {

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

/// The part of a program that follows from its constants, from numbers and, where that is wanted, from its weights.
class FoldablePart {
public:
    /// A tensor that the part follows from.
    struct Given {
        Value value;
        at::Tensor tensor;
    };

    FoldablePart(ExportedProgram& program, const FoldOptions& options)
        : graph_(program.graph),
          options_(options),
          writes_(program.graph),
          origins_(program.graph.num_values(), Origin::unknown) {
        find_tensors(program);
        find_nodes();
        if (options_.weights) settle_weights();
        std::erase_if(given_, [&](const Given& each) { return origins_[each.value.index] == Origin::unknown; });
    }

    [[nodiscard]] const std::vector<Node*>& nodes() const noexcept { return nodes_; }
    [[nodiscard]] const std::vector<Given>& given() const noexcept { return given_; }
    /// Whether something else takes the value too.
    [[nodiscard]] bool leaves(Value value) const {
        const ValueInfo& info = graph_.info(value);
        return info.output_uses != 0 ||
               algo::any_of(info.users, [&](const Node* user) { return !in_part_.contains(user); });
    }

    /// A weight with other sizes, which cost nothing.
    [[nodiscard]] bool is_given_weight(const at::Tensor& tensor) const {
        return tensor.is_contiguous() && algo::any_of(given_, [&](const Given& each) {
                   return origins_[each.value.index] == Origin::weight && each.tensor.nbytes() == tensor.nbytes() &&
                          each.tensor.is_contiguous() && each.tensor.const_data_ptr() == tensor.const_data_ptr();
               });
    }

private:
    enum class Origin : std::uint8_t {
        unknown,
        constant,  ///< constants and numbers
        weight,  ///< a parameter, a buffer or a large constant, perhaps with others
    };
    static constexpr std::int64_t largest_step = std::int64_t{1}
                                                 << 24;  // in bytes, on the way from weights to a result

    /// The constants, and the weights where these are wanted. Not what the program writes to, and not fakes: they have no values.
    void find_tensors(const ExportedProgram& program) {
        std::unordered_map<std::string_view, const at::Tensor*> tensors;
        for (const auto& [name, tensor] : program.constants) tensors.emplace(name, &tensor);
        for (const auto& [name, tensor] : program.state) tensors.emplace(name, &tensor);
        for (const OutputSpec& output : program.signature.outputs)
            if (output.kind != OutputKind::user_output) tensors.erase(output.target);
        for (const InputSpec& input : program.signature.inputs) {
            const bool is_constant = input.kind == InputKind::constant_tensor;
            const bool is_weight = input.kind == InputKind::parameter || input.kind == InputKind::buffer;
            if (!is_constant && !(is_weight && options_.weights)) continue;
            const auto found = tensors.find(input.target);
            const auto* value = input.argument.get_if<Value>();
            if (value == nullptr || found == tensors.end() || writes_.is_written(*value)) continue;
            const at::Tensor& tensor = *found->second;
            if (!tensor.defined() || tensor.is_meta()) continue;
            const auto size = static_cast<std::int64_t>(tensor.nbytes());
            const bool is_large = size > options_.max_bytes;
            origins_[value->index] = is_weight || (is_large && options_.weights) ? Origin::weight : Origin::constant;
            given_.push_back({*value, tensor});
            weight_bytes_ += size;
        }
    }

    void find_nodes() {
        nodes_.clear();
        in_part_.clear();
        OpEffects effects;
        for (Node& node : graph_.nodes()) {
            const bool is_in = effects.of(graph_, node) == Effect::none && is_known(node);
            const Origin origin = is_in ? origin_of(node) : Origin::unknown;
            for (const Output& output : node.outputs())
                for (const Value value : output.values) origins_[value.index] = origin;
            if (!is_in) continue;
            nodes_.push_back(&node);
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
            find_nodes();
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
        for (const Node* node : nodes_)
            for (const Output& output : node->outputs())
                for (const Value value : output.values)
                    if (origins_[value.index] == Origin::weight && leaves(value) &&
                        bytes(graph_.info(value).tensor) > bytes_behind(value))
                        left_.insert(node);
        return left_.size() != before;
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

    Graph& graph_;
    const FoldOptions& options_;
    WrittenInputs writes_;
    std::vector<Origin> origins_;  // of each value of the program
    std::vector<Given> given_;
    std::int64_t weight_bytes_ = 0;
    std::vector<Node*> nodes_;
    std::unordered_set<const Node*> in_part_;
    std::unordered_set<const Node*> left_;  // to each run
};

}  // namespace detail
}  // namespace ferry
