#pragma once

#include <ferry/capture/op_info.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/op_table.hpp>

#include <ATen/core/boxing/KernelFunction.h>

#include <array>
#include <string_view>

namespace ferry::capture {
namespace detail {

template <auto Function>
[[nodiscard]] const c10::KernelFunction& boxed() {
    static const auto kernel = c10::KernelFunction::makeFromUnboxedFunction(TORCH_FN(Function));
    return kernel;
}

using Boxed = const c10::KernelFunction& (*)();

template <class Entry>
struct bind_fake {
    static constexpr Boxed value = &boxed<&Entry::fake>;
};
template <class Entry>
struct bind_patch {
    static constexpr Boxed value = &boxed<&Entry::call>;
};

template <class List, template <class> class Bind>
[[nodiscard]] const c10::KernelFunction* find_kernel(std::string_view op) {
    const auto make = op_table<List>::template function<Boxed, Bind>(op);
    return make != nullptr ? &make() : nullptr;
}

}  // namespace detail

/// What a pipeline's entries mean to the tracer.
template <class Pipeline>
inline constexpr OpRules rules_of{.fake = &detail::find_kernel<typename Pipeline::template stage<fakes>, detail::bind_fake>,
                                  .patch = &detail::find_kernel<typename Pipeline::template stage<patches>, detail::bind_patch>};

}  // namespace ferry::capture
