#pragma once

#include <ferry/onnx/translation.hpp>

#include <cstddef>
#include <utility>
#include <vector>

/// Loops that translations write themselves.
namespace ferry::onnx::translated {

struct LoopStep {
    std::vector<Ref> carried;    ///< what the next step is given
    std::vector<Ref> collected;  ///< what is kept of each step, along a new first dimension
    Ref goes_on{};               ///< whether there is a next step; none: as often as was asked for
};

/// Calls `step` once, with the number of a step and what is carried to it, and lets ONNX repeat what it makes. Gives what was carried from the
/// last step and then what was collected. Without a number of times the loop ends when a step says so.
template <class Step>
std::vector<Ref> repeated(Translation& t, Ref times, const std::vector<Ref>& carried, Step&& step) {
    std::vector<DType> dtypes;
    const BodyRef body = t.make_body("loop", [&] {
        const Ref number = t.add_body_input({.name = {}, .dtype = DType::int64, .sizes = Sizes()});
        t.add_body_input({.name = {}, .dtype = DType::boolean, .sizes = Sizes()});
        std::vector<Ref> given;
        given.reserve(carried.size());
        for (const Ref each : carried)
            given.push_back(t.add_body_input({.name = {}, .dtype = t.dtype(each), .sizes = t.sizes(each)}));
        const LoopStep made = step(number, std::as_const(given));
        t.add_body_output(made.goes_on ? made.goes_on : t.number(true, DType::boolean));
        for (std::size_t i = 0; i < given.size(); ++i) {
            t.add_body_output(t.like(made.carried.at(i), given[i]));
            dtypes.push_back(t.dtype(given[i]));
        }
        for (const Ref each : made.collected) {
            t.add_body_output(each);
            dtypes.push_back(t.dtype(each));
        }
    });
    std::vector<Ref> inputs{times ? t.scalar_of(times) : Ref(), t.number(true, DType::boolean)};
    inputs.insert(inputs.end(), carried.begin(), carried.end());
    std::vector<Ref> results = t.add_typed("Loop", std::move(inputs), {{"body", body}}, dtypes);
    for (std::size_t i = 0; i < carried.size(); ++i) t.like(results[i], carried[i]);
    return results;
}

}  // namespace ferry::onnx::translated
