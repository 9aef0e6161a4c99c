#pragma once

#include <ferry/capture/probe_points.hpp>
#include <ferry/capture/trace.hpp>
#include <ferry/capture/unify.hpp>
#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace ferry::capture {

/// Throws if it is the model's code that does something else where a number that depends on values has another value. What ops do
/// there, or cannot do, is another matter: the program refuses such values when it runs.
inline void refuse_branch(const Trace& trace, const ProbeDim& number, std::int64_t value, const Divergence& there) {
    if (there.how != Parting::other_steps && there.how != Parting::other_constant) return;
    const auto which =
        static_cast<std::size_t>(algo::find(trace.unbacked_names, number.name) - trace.unbacked_names.begin());
    const auto asked = algo::find(trace.asked, which, &AskedValue::unbacked);
    ErrorPlace where{.stage = "dynamic shapes", .op = there.name, .path = std::string(there.module)};
    if (asked != trace.asked.end()) {
        where.op = trace.ops[asked->op].name;
        where.path = trace.ops[asked->op].module;
    }
    throw Error(
        ErrorKind::unsupported,
        std::string("forward does something else where ") +
            (asked != trace.asked.end() ? "a value that it asks a tensor for"
                                        : "a size that depends on the values of a tensor") +
            " is " + std::to_string(value) + " instead of " + std::to_string(number.sample) + ": " +
            place_and_reason(there),
        {.hint = "write a branch on it with ferry::cond, a loop with ferry::while_loop, or compute on the tensor "
                 "itself",
         .where = std::move(where)});
}

}  // namespace ferry::capture
