#pragma once

#include <ferry/graph/argument.hpp>
#include <ferry/graph/node.hpp>
#include <ferry/graph/scalar_types.hpp>
#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/sym_range.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry::capture {

/// A value as one run saw it: all sizes are numbers. `tensor` is the meta tensor that stood for it.
struct TraceValue {
    ValueKind kind = ValueKind::tensor;
    at::Tensor tensor{};
    std::int64_t number = 0;  ///< of a sym_int
    double real = 0;          ///< of a sym_float,
    SymExpr meaning{};        ///< and what it is, as far as known
    c10::Device device = c10::kCPU;
};

struct Trace;

/// In a trace: a comparison of two integers that the program makes when it runs, {a, b, comparison as in Python's operator, why}.
inline constexpr std::string_view size_check = "ferry::check";

/// A number that depends on values, and that others give all the same: the program is to check that when it runs.
struct ToldSize {
    std::string name;  ///< for people
    std::int64_t number;
};

/// One call, its arguments in the order of the schema.
struct TraceOp {
    std::string_view name;
    const c10::FunctionSchema* schema = nullptr;  ///< null: a higher-order op, see subtraces, or a function over sizes
    std::vector<Argument> arguments{};
    std::vector<Output> outputs{};
    std::string_view module{};  ///< path of the module that calls it, as far as known; lives as long as the capture
    bool gradients = true;  ///< false: called under a torch::NoGradGuard that forward has set
    std::vector<ToldSize> told{};  ///< sizes of its results that depend on values and are stated beforehand
    std::vector<std::shared_ptr<const Trace>> subtraces{};  ///< what a Subgraph among the arguments counts
};

/// A real tensor that the model used: a parameter, a buffer, or a constant made before or in forward.
struct Lifted {
    static constexpr std::uint32_t not_made = UINT32_MAX;

    Value value;
    at::Tensor tensor;
    std::uint32_t memory = not_made;  ///< made in forward: by which of its calls of empty()
};

/// A lifted tensor or an input that was written to: the graph returns its last value.
struct Mutation {
    Value before;
    Value after;
};

/// A number that the model's code was given in place of a tensor's value.
struct AskedValue {
    std::size_t unbacked;  ///< which of the numbers that depend on values it is
    std::size_t op;  ///< the op that asks
};

/// What one run of the model did.
struct Trace {
    std::vector<TraceValue> values{};
    std::vector<Value> inputs{};
    std::vector<Lifted> lifted{};
    std::vector<TraceOp> ops{};
    std::vector<Value> reals{};  ///< numbers that follow from sizes and are no integers
    std::vector<Argument> outputs{};
    std::vector<Mutation> mutations{};
    std::vector<ValueRange>
        unbacked{};  ///< of each number that depends on values, in order: what it may be by its nature,
    std::vector<std::string> unbacked_names{};  ///< and what it is called
    std::vector<AskedValue> asked{};  ///< those among them that the model has asked tensors for
    std::vector<Value> fixed{};  ///< lifted tensors whose values the model has asked for
};

}  // namespace ferry::capture
