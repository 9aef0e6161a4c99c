#pragma once

#include <ferry/core/linkage.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/onnx/translations/recurrent.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::onnx::translated {

struct RecurrentKind {
    std::string_view op;
    std::span<const std::size_t> gates;  ///< in ONNX's order, by their places in torch's
    std::vector<Attribute> attributes{};
};

class RecurrentLayers {
public:
    RecurrentLayers(Translation& t, RecurrentKind kind, std::vector<Ref> states)
        : t_(t),
          kind_(std::move(kind)),
          states_(std::move(states)),
          weights_(t.tensors("params")),
          dtype_(t.wide(t.result_dtype())),
          layers_(static_cast<std::size_t>(t.integer("num_layers"))),
          directions_(t.flag("bidirectional") ? 2 : 1) {
        if (t.flag("train") && t.real("dropout") != 0)
            t.refuse("dropout between layers", "call eval() on the model first");
        const auto is_complete = [&] { return weights_.size() == layers_ * directions_ * per_direction(); };
        projects_ = kind_.op == "LSTM" && !is_complete();
        if (layers_ == 0 || !is_complete()) t.refuse("a number of weights that is not that of the layers");
        hidden_ = t.sizes(weights_[1]).back();
    }

    void translate() {
        const bool batch_first = t_.flag("batch_first");
        Ref sequence = t_.cast(t_.tensor("input"), dtype_);
        if (batch_first) sequence = t_.transpose(sequence, 0, 1);
        const SymExpr length = t_.sizes(sequence)[0], batch = t_.sizes(sequence)[1];
        const SymExpr width = hidden_ * SymExpr(static_cast<std::int64_t>(directions_));
        std::vector<std::vector<Ref>> last(states_.size());
        for (std::size_t layer = 0; layer < layers_; ++layer) {
            const auto made = projects_ ? projected_layer(sequence, layer) : one_layer(sequence, layer);
            const Ref outputs =
                t_.with_sizes(made[0], {length, SymExpr(static_cast<std::int64_t>(directions_)), batch, hidden_});
            sequence = t_.reshape(t_.permute(outputs, {0, 2, 1, 3}), {length, batch, width});
            for (std::size_t i = 0; i < states_.size(); ++i) last[i].push_back(made[i + 1]);
        }
        t_.result(batch_first ? t_.transpose(sequence, 0, 1) : sequence, 0);
        for (std::size_t i = 0; i < last.size(); ++i)
            if (t_.is_wanted(i + 1))  // of states that nobody uses Python's programs say what is not so
                t_.result(last[i].size() == 1 ? last[i][0] : t_.add("Concat", last[i], {{"axis", 0}}), i + 1);
    }

private:
    [[nodiscard]] std::size_t per_direction() const {
        return (t_.flag("has_biases") ? std::size_t{4} : std::size_t{2}) + (projects_ ? 1 : 0);
    }

    [[nodiscard]] std::vector<Ref> one_layer(Ref sequence, std::size_t layer) {
        const bool has_biases = t_.flag("has_biases");
        std::vector<Ref> input, recurrent, bias;
        for (std::size_t direction = 0; direction < directions_; ++direction) {
            const std::size_t first = (layer * directions_ + direction) * per_direction();
            input.push_back(in_order(weights_[first]));
            recurrent.push_back(in_order(weights_[first + 1]));
            if (has_biases)
                bias.push_back(
                    joined({in_order(weights_[first + 2]), in_order(weights_[first + 3])}, /*stacked=*/false));
        }
        std::vector<Ref> inputs{sequence, joined(input, true), joined(recurrent, true),
                                has_biases ? joined(bias, true) : Ref(), Ref()};
        const auto from = static_cast<std::int64_t>(layer * directions_);
        for (const Ref state : states_)
            inputs.push_back(layers_ == 1 ? t_.cast(state, dtype_)
                                          : t_.slice(t_.cast(state, dtype_), 0, t_.ints({from}),
                                                     t_.ints({from + static_cast<std::int64_t>(directions_)})));
        std::vector<Attribute> attributes = kind_.attributes;
        attributes.emplace_back("hidden_size", hidden_.value());
        attributes.emplace_back("direction", std::string(directions_ == 2 ? "bidirectional" : "forward"));
        return t_.add_typed(kind_.op, std::move(inputs), std::move(attributes),
                            std::vector<DType>(states_.size() + 1, dtype_));
    }

    /// ONNX has none whose output is projected, so each direction is a Scan.
    [[nodiscard]] std::vector<Ref> projected_layer(Ref sequence, std::size_t layer) {
        std::vector<std::vector<Ref>> parts(states_.size() + 1);
        for (std::size_t direction = 0; direction < directions_; ++direction) {
            const auto made = projected_direction(sequence, layer * directions_ + direction, direction == 1);
            for (std::size_t i = 0; i < made.size(); ++i)
                parts[i].push_back(t_.add("Unsqueeze", {made[i], t_.ints({i == 0 ? 1 : 0})}));
        }
        std::vector<Ref> joined_parts;
        joined_parts.reserve(parts.size());
        for (std::size_t i = 0; i < parts.size(); ++i)
            joined_parts.push_back(parts[i].size() == 1 ? parts[i][0]
                                                        : t_.add("Concat", parts[i], {{"axis", i == 0 ? 1 : 0}}));
        return joined_parts;
    }

    /// The outputs, the last of them and the last cell.
    [[nodiscard]] std::vector<Ref> projected_direction(Ref sequence, std::size_t which, bool is_backward) {
        const Ref* weights = &weights_[which * per_direction()];
        const auto turned = [&](Ref weight) { return t_.transpose(t_.cast(weight, dtype_), 0, 1); };
        Ref given = t_.add("MatMul", {sequence, turned(weights[0])});
        if (t_.flag("has_biases"))
            for (const Ref bias : {weights[2], weights[3]}) given = t_.add("Add", {given, t_.cast(bias, dtype_)});
        const Ref recurrent = turned(weights[1]), projection = turned(weights[per_direction() - 1]);
        const SymExpr batch = t_.sizes(sequence)[1], width = t_.sizes(projection)[0];
        const BodyRef body = t_.make_body("lstm", [&] {
            const auto input = [&](const SymExpr& size) {
                return t_.add_body_input({.name = {}, .dtype = dtype_, .sizes = Sizes{batch, size}});
            };
            const Ref hidden = input(hidden_), cell = input(width), step = input(width * SymExpr(4));
            const Ref gates = t_.add("Add", {step, t_.add("MatMul", {hidden, recurrent})});
            const auto each = t_.add_many("Split", {gates, t_.shape(Sizes(4, width))}, {{"axis", 1}}, 4);
            const auto open = [&](std::size_t gate) { return t_.add("Sigmoid", {each[gate]}); };
            const Ref kept = t_.add("Mul", {open(1), cell}),
                      added = t_.add("Mul", {open(0), t_.add("Tanh", {each[2]})});
            const Ref next_cell = t_.like(t_.add("Add", {kept, added}), cell);
            const Ref shown = t_.add("Mul", {open(3), t_.add("Tanh", {next_cell})});
            const Ref next_hidden = t_.like(t_.add("MatMul", {shown, projection}), hidden);
            for (const Ref output : {next_hidden, next_cell, next_hidden}) t_.add_body_output(output);
        });
        std::vector<Ref> inputs;
        inputs.reserve(states_.size() + 1);
        for (const Ref state : states_)
            inputs.push_back(t_.add("Gather",
                                    {t_.cast(state, dtype_), t_.number(static_cast<std::int64_t>(which), DType::int64)},
                                    {{"axis", 0}}));
        inputs.push_back(given);
        const std::vector<std::int64_t> backward{is_backward ? 1 : 0};
        const auto made = t_.add_typed("Scan", std::move(inputs),
                                       {{"body", body},
                                        {"num_scan_inputs", 1},
                                        {"scan_input_directions", backward},
                                        {"scan_output_directions", backward}},
                                       {dtype_, dtype_, dtype_});
        return {made[2], made[0], made[1]};
    }

    /// Weights that are there are put in order here and now.
    [[nodiscard]] Ref in_order(Ref weight) {
        weight = t_.cast(weight, dtype_);
        const std::size_t count = kind_.gates.size();
        if (count == 1) return weight;
        if (const at::Tensor known = t_.model()[weight].constant; known.defined()) {
            const auto gates = known.chunk(static_cast<std::int64_t>(count), 0);
            std::vector<at::Tensor> ordered;
            for (const std::size_t gate : kind_.gates) ordered.push_back(gates[gate]);
            return t_.constant(at::cat(ordered, 0));
        }
        const Sizes parts(count, hidden_);
        const auto gates = t_.add_many("Split", {weight, t_.shape(parts)}, {{"axis", 0}}, count);
        std::vector<Ref> ordered;
        for (const std::size_t gate : kind_.gates) ordered.push_back(gates[gate]);
        return t_.with_sizes(t_.add("Concat", std::move(ordered), {{"axis", 0}}), t_.sizes(weight));
    }

    /// Side by side, or along a new first dimension, one for each direction.
    [[nodiscard]] Ref joined(std::vector<Ref> parts, bool stacked) {
        std::vector<at::Tensor> known;
        for (const Ref part : parts)
            if (const at::Tensor& tensor = t_.model()[part].constant; tensor.defined())
                known.push_back(stacked ? tensor.unsqueeze(0) : tensor);
        if (known.size() == parts.size()) return t_.constant(at::cat(known, 0));
        if (stacked)
            for (Ref& part : parts) part = t_.add("Unsqueeze", {part, t_.ints({0})});
        return parts.size() == 1 ? parts[0] : t_.add("Concat", std::move(parts), {{"axis", 0}});
    }

    Translation& t_;
    RecurrentKind kind_;
    std::vector<Ref> states_;
    std::vector<Ref> weights_;
    DType dtype_;
    std::size_t layers_;
    std::size_t directions_;
    bool projects_ = false;  ///< an LSTM's output goes through one more matrix
    SymExpr hidden_;         ///< the width of an output
};

/// torch: input, forget, cell, output; ONNX: input, output, forget, cell.
FERRY_INLINE void lstm::translate(Translation& t) {
    static constexpr std::array<std::size_t, 4> gates{0, 3, 1, 2};
    RecurrentLayers(t, {.op = "LSTM", .gates = gates}, t.tensors("hx")).translate();
}
/// torch: reset, update, new; ONNX: update, reset, new. torch adds the bias of the new gate before the reset.
FERRY_INLINE void gru::translate(Translation& t) {
    static constexpr std::array<std::size_t, 3> gates{1, 0, 2};
    RecurrentLayers(t, {.op = "GRU", .gates = gates, .attributes = {{"linear_before_reset", 1}}}, {t.tensor("hx")})
        .translate();
}
FERRY_INLINE void translate_plain_rnn(Translation& t, std::string_view activation) {
    static constexpr std::array<std::size_t, 1> gates{0};
    std::vector<std::string> activations(t.flag("bidirectional") ? 2 : 1, std::string(activation));
    RecurrentLayers(t, {.op = "RNN", .gates = gates, .attributes = {{"activations", std::move(activations)}}},
                    {t.tensor("hx")})
        .translate();
}

}  // namespace ferry::onnx::translated
