#pragma once

#include <ferry/capture/control_flow.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/op_name.hpp>
#include <ferry/program/decompositions/of_program.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/flip.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/stack.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

/// Recurrent layers: unrolled where the length of the sequence is known, as Python does it; a scan where it is not.
namespace ferry {
namespace decomposed {

/// What a layer carries from step to step.
struct Carried {
    at::Tensor hidden;
    at::Tensor cell;  ///< of an LSTM
};

struct RecurrentWeights {
    at::Tensor input, hidden, input_bias, hidden_bias, projection;
};

[[nodiscard]] inline at::Tensor project(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
    return bias.defined() ? at::linear(x, weight, bias) : at::linear(x, weight);
}

/// `given` has the input's share of the gates already.
[[nodiscard]] inline Carried lstm_step(const at::Tensor& given, const Carried& before,
                                       const RecurrentWeights& weights) {
    const auto gates = (given + project(before.hidden, weights.hidden, weights.hidden_bias)).chunk(4, 1);
    const at::Tensor cell = gates[1].sigmoid() * before.cell + gates[0].sigmoid() * gates[2].tanh();
    const at::Tensor hidden = gates[3].sigmoid() * cell.tanh();
    return {weights.projection.defined() ? at::linear(hidden, weights.projection) : hidden, cell};
}
[[nodiscard]] inline Carried gru_step(const at::Tensor& given, const Carried& before, const RecurrentWeights& weights) {
    const auto input = given.chunk(3, 1);
    const auto hidden = project(before.hidden, weights.hidden, weights.hidden_bias).chunk(3, 1);
    const at::Tensor reset = (input[0] + hidden[0]).sigmoid(), update = (input[1] + hidden[1]).sigmoid();
    const at::Tensor candidate = (input[2] + reset * hidden[2]).tanh();
    return {(before.hidden - candidate) * update + candidate, {}};
}
[[nodiscard]] inline Carried tanh_step(const at::Tensor& given, const Carried& before,
                                       const RecurrentWeights& weights) {
    return {(given + project(before.hidden, weights.hidden, weights.hidden_bias)).tanh(), {}};
}
[[nodiscard]] inline Carried relu_step(const at::Tensor& given, const Carried& before,
                                       const RecurrentWeights& weights) {
    return {(given + project(before.hidden, weights.hidden, weights.hidden_bias)).relu(), {}};
}
using RecurrentStep = Carried (*)(const at::Tensor&, const Carried&, const RecurrentWeights&);

struct Recurrent {
    std::vector<at::Tensor> params;
    bool has_biases;
    std::int64_t layers;
    bool bidirectional;
    bool batch_first;
    double dropout;  ///< between layers
    bool any_length;  ///< the program runs for sequences of other lengths too
    RecurrentStep step;

    struct Result {
        at::Tensor output, hidden, cell;
    };

    [[nodiscard]] RecurrentWeights weights(std::size_t direction) const {
        const auto directions = static_cast<std::size_t>(layers * (bidirectional ? 2 : 1));
        const std::size_t each = params.size() / directions, first = direction * each;
        RecurrentWeights made{params.at(first), params.at(first + 1), {}, {}, {}};
        if (has_biases) made.input_bias = params.at(first + 2), made.hidden_bias = params.at(first + 3);
        if (each == (has_biases ? 5U : 3U)) made.projection = params.at(first + each - 1);
        return made;
    }

    /// One direction of one layer over (time, batch, feature).
    [[nodiscard]] std::pair<at::Tensor, Carried> walk(const at::Tensor& input, const Carried& initial,
                                                      const RecurrentWeights& own) const {
        const at::Tensor given = project(input, own.input, own.input_bias);
        return any_length ? scan_over(given, initial, own) : unroll_over(given, initial, own);
    }
    [[nodiscard]] std::pair<at::Tensor, Carried> unroll_over(const at::Tensor& given, Carried state,
                                                             const RecurrentWeights& own) const {
        std::vector<at::Tensor> outputs;
        outputs.reserve(static_cast<std::size_t>(given.size(0)));
        for (std::int64_t i = 0; i < given.size(0); ++i) {
            state = step(given.select(0, i), state, own);
            outputs.push_back(state.hidden);
        }
        return {at::stack(outputs), state};
    }
    [[nodiscard]] std::pair<at::Tensor, Carried> scan_over(const at::Tensor& given, const Carried& initial,
                                                           const RecurrentWeights& own) const {
        const bool has_cell = initial.cell.defined();
        std::vector<at::Tensor> carry{initial.hidden};
        if (has_cell) carry.push_back(initial.cell);
        auto [last, outputs] = ferry::scan(
            [&](const std::vector<at::Tensor>& before, const at::Tensor& slice) {
                const Carried after = step(slice, {before[0], has_cell ? before[1] : at::Tensor()}, own);
                std::vector<at::Tensor> next{after.hidden};
                if (has_cell) next.push_back(after.cell);
                return std::pair(std::move(next), after.hidden.clone());
            },
            carry, given);
        return {outputs, {last[0], has_cell ? last[1] : at::Tensor()}};
    }

    [[nodiscard]] Result run(at::Tensor input, const at::Tensor& hidden, const at::Tensor& cell) const {
        if (batch_first) input = input.transpose(0, 1).contiguous();
        std::vector<at::Tensor> hiddens, cells;
        std::size_t direction = 0;
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            std::vector<at::Tensor> outputs;
            for (const bool backwards : {false, true}) {
                if (backwards && !bidirectional) continue;
                const auto at = static_cast<std::int64_t>(direction);
                const Carried initial{hidden.select(0, at), cell.defined() ? cell.select(0, at) : at::Tensor()};
                auto [output, last] = walk(backwards ? at::flip(input, {0}) : input, initial, weights(direction));
                outputs.push_back(backwards ? at::flip(output, {0}) : output);
                hiddens.push_back(last.hidden);
                if (cell.defined()) cells.push_back(last.cell);
                ++direction;
            }
            input = outputs.size() == 1 ? outputs[0] : at::cat(outputs, 2);
            if (dropout > 0 && layer + 1 < layers) input = at::dropout(input, dropout, /*train=*/true);
        }
        return {batch_first ? input.transpose(0, 1) : input, at::stack(hiddens),
                cells.empty() ? at::Tensor() : at::stack(cells)};
    }
};

struct lstm {
    static constexpr auto target = op("aten::lstm.input");
    static std::tuple<at::Tensor, at::Tensor, at::Tensor> decompose(const at::Tensor& input, at::TensorList hidden,
                                                                    at::TensorList params, bool has_biases,
                                                                    std::int64_t layers, double dropout, bool train,
                                                                    bool bidirectional, bool batch_first) {
        const Recurrent layer{params.vec(),
                              has_biases,
                              layers,
                              bidirectional,
                              batch_first,
                              train ? dropout : 0,
                              may_vary("input", batch_first ? 1 : 0),
                              &lstm_step};
        const auto made = layer.run(input, hidden[0], hidden[1]);
        return {made.output, made.hidden, made.cell};
    }
};

template <RecurrentStep Step>
struct recurrent {
    static std::tuple<at::Tensor, at::Tensor> decompose(const at::Tensor& input, const at::Tensor& hidden,
                                                        at::TensorList params, bool has_biases, std::int64_t layers,
                                                        double dropout, bool train, bool bidirectional,
                                                        bool batch_first) {
        const Recurrent layer{params.vec(),
                              has_biases,
                              layers,
                              bidirectional,
                              batch_first,
                              train ? dropout : 0,
                              may_vary("input", batch_first ? 1 : 0),
                              Step};
        const auto made = layer.run(input, hidden, {});
        return {made.output, made.hidden};
    }
};
struct gru : recurrent<&gru_step> {
    static constexpr auto target = op("aten::gru.input");
};
struct rnn_tanh : recurrent<&tanh_step> {
    static constexpr auto target = op("aten::rnn_tanh.input");
};
struct rnn_relu : recurrent<&relu_step> {
    static constexpr auto target = op("aten::rnn_relu.input");
};

}  // namespace decomposed

using recurrent_decompositions =
    decompositions<decomposed::lstm, decomposed::gru, decomposed::rnn_tanh, decomposed::rnn_relu>;

}  // namespace ferry
