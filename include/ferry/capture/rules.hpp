#pragma once

#include <ferry/capture/op_info.hpp>
#include <ferry/capture/submodule.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/op_table.hpp>

#include <ATen/core/boxing/KernelFunction.h>

#include <array>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace ferry::capture {
namespace detail {

/// By a pointer that is known when the program runs: libtorch's check of one known to the compiler is no constant expression under
/// the undefined behaviour sanitizer, and functions of one type share what boxes them.
template <auto Function>
[[nodiscard]] const c10::KernelFunction& boxed() {
    static const auto kernel = c10::KernelFunction::makeFromUnboxedRuntimeFunction(Function);
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

/// A model patch as submodule calls it: with the very type of the module's own forward.
template <class Entry>
struct patched_forward {
    using Module = typename Entry::module;
    static_assert(ferry::detail::has_one_forward<Module>,
                  "ferry: a model patch is for a module with one `forward` that is neither a template nor overloaded");

    template <class Result, class... Args>
    [[nodiscard]] static AnyFunction erase(Result (*)(Module&, Args...)) {
        static_assert(
            std::is_invocable_r_v<Result, decltype(&Entry::forward), Module&, Args...>,
            "ferry: a model patch's `forward(MyModule&, args...)` takes and returns what the module's own forward does");
        constexpr Result (*call)(Module&, Args...) = [](Module& module, Args... args) -> Result {
            return Entry::forward(module, std::forward<Args>(args)...);
        };
        return reinterpret_cast<AnyFunction>(call);
    }

    [[nodiscard]] static AnyFunction get() { return erase(ferry::detail::forward_of<Module>{}); }
};

template <class List>
struct model_patch_table;
template <template <class...> class List, class... Entries>
struct model_patch_table<List<Entries...>> {
    [[nodiscard]] static AnyFunction find([[maybe_unused]] const std::type_info& module) {
        AnyFunction found = nullptr;
        static_cast<void>(
            ((module == typeid(typename Entries::module) ? (found = patched_forward<Entries>::get(), true) : false) ||
             ...));
        return found;
    }
};

template <class List>
[[nodiscard]] AnyFunction find_model_patch(const std::type_info& module) {
    return model_patch_table<List>::find(module);
}

}  // namespace detail

/// What a pipeline's entries mean to the tracer.
template <class Pipeline>
inline constexpr OpRules rules_of{
    .fake = &detail::find_kernel<typename Pipeline::template stage<fakes>, detail::bind_fake>,
    .patch = &detail::find_kernel<typename Pipeline::template stage<patches>, detail::bind_patch>,
    .model_patch = &detail::find_model_patch<typename Pipeline::template stage<model_patches>>};

}  // namespace ferry::capture
