#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/value_range.hpp>

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <cstdint>
#include <utility>

/// Sizes that depend on a tensor's values. While a model is captured nobody knows them, so each is a symbol of its own (`u0`,
/// `u1`, ...), and the fake op answers with whatever number the running probe has for it.
namespace ferry::capture {

/// Where the fakes of such ops take their sizes from: the tracer. Without a vtable, as OpHandler.
class SizeSource {
public:
    /// A size that nothing else is known to be equal to.
    std::int64_t fresh(ValueRange range) { return fresh_(*this, range); }
    /// How many elements are not zero. The same tensor gets the same answer, so that `x[mask] + y[mask]` is one size.
    std::int64_t count(const at::Tensor& tensor) { return count_(*this, tensor); }
    /// Whether the model was given a number in place of a tensor's value.
    [[nodiscard]] bool has_told_values() const noexcept { return has_told_values_; }

protected:
    using Fresh = std::int64_t (*)(SizeSource&, ValueRange);
    using Count = std::int64_t (*)(SizeSource&, const at::Tensor&);
    SizeSource(Fresh fresh, Count count) noexcept : fresh_(fresh), count_(count) {}
    ~SizeSource() = default;

    bool has_told_values_ = false;

private:
    Fresh fresh_;
    Count count_;
};

namespace detail {

inline thread_local SizeSource* size_source = nullptr;

}  // namespace detail

/// The source of the capture that runs on this thread.
[[nodiscard]] inline SizeSource& size_source() {
    if (detail::size_source == nullptr)
        throw Error(ErrorKind::internal, "a size that depends on values was asked for outside of a capture");
    return *detail::size_source;
}

class SizeSourceScope {
public:
    explicit SizeSourceScope(SizeSource& source) : before_(std::exchange(detail::size_source, &source)) {}
    SizeSourceScope(const SizeSourceScope&) = delete;
    SizeSourceScope& operator=(const SizeSourceScope&) = delete;
    ~SizeSourceScope() { detail::size_source = before_; }

private:
    SizeSource* before_;
};

/// Whether the op's result, or its size, cannot be had from the shapes of its arguments: what zeros would give is wrong.
[[nodiscard]] inline bool depends_on_values(const c10::OperatorHandle& op) {
    if (op.schema().name() == "aten::_ctc_loss" && op.schema().overload_name().empty())
        return false;  // lengths are numbers, not tensors
    return op.hasTag(at::Tag::dynamic_output_shape) || op.hasTag(at::Tag::data_dependent_output);
}

}  // namespace ferry::capture
