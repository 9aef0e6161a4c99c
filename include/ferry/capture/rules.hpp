#pragma once

#include <ferry/capture/op_rules.hpp>
#include <ferry/capture/submodule.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/list_finder.hpp>

#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <cstddef>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace ferry::capture {
namespace detail {

/// One for each signature, however many entries have it.
template <class Result, class... Args, std::size_t... Index>
void call_on_stack(Result (*function)(Args...), torch::jit::Stack& stack, std::index_sequence<Index...>) {
    [[maybe_unused]] c10::IValue* const first = stack.data() + (stack.size() - sizeof...(Args));
    const auto call = [&]() -> Result {
        return function(c10::impl::ivalue_to_arg<std::decay_t<Args>, false>::call(first[Index])...);
    };
    if constexpr (std::is_void_v<Result>) {
        call();
        torch::jit::drop(stack, sizeof...(Args));
    } else {
        auto result = call();
        torch::jit::drop(stack, sizeof...(Args));
        c10::impl::push_outputs<Result, false>::call(std::move(result), &stack);
    }
}
template <class Result, class... Args>
void call_with_stack(Result (*function)(Args...), torch::jit::Stack& stack) {
    call_on_stack(function, stack, std::index_sequence_for<Args...>{});
}

template <auto Function>
void on_stack(const c10::OperatorHandle&, c10::DispatchKeySet, torch::jit::Stack* stack) {
    call_with_stack(Function, *stack);
}

template <class Entry>
struct bind_fake {
    static constexpr Kernel value = &on_stack<&Entry::fake>;
};
template <class Entry>
struct bind_patch {
    static constexpr Kernel value = &on_stack<&Entry::call>;
};
template <class Entry>
struct bind_decomposition {
    static constexpr Kernel value = &on_stack<&Entry::decompose>;
};

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
    .fake = &pipeline_finder<Pipeline, fakes<>, Kernel, detail::bind_fake>::find,
    .patch = &pipeline_finder<Pipeline, patches<>, Kernel, detail::bind_patch>::find,
    .model_patch = &detail::find_model_patch<typename Pipeline::template stage<model_patches>>};

}  // namespace ferry::capture
