#pragma once

#include <ferry/capture/rules.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/list_finder.hpp>
#include <ferry/core/pipeline.hpp>
#include <ferry/dynamo/default_rules.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/retrace.hpp>

#include <string_view>
#include <type_traits>

namespace ferry {

struct core_aten_decompositions;

namespace detail {

template <class List>
[[nodiscard]] capture::Kernel find_decomposition(std::string_view op) {
    if constexpr (std::is_same_v<List, core_aten_decompositions>) {
        return find_core_decomposition(op);
    } else {
        const auto listed = list_finder<List, capture::Kernel, capture::detail::bind_decomposition>::find(op);
        return listed != nullptr ? listed : composite_decomposition(op);
    }
}

template <class Fakes>
[[nodiscard]] capture::Kernel find_fake(std::string_view op) {
    using capture::detail::bind_fake;
    if constexpr (Fakes::size != 0) {
        static_assert(lists_differ<default_fakes, Fakes>());
        if (const auto own = list_finder<Fakes, capture::Kernel, bind_fake>::find(op)) return own;
    }
    return list_finder<default_fakes, capture::Kernel, bind_fake>::find(op);
}

}  // namespace detail

template <class List, class Fakes>
ExportedProgram ExportedProgram::run_decompositions() const {
    if constexpr (!std::is_same_v<List, core_aten_decompositions>)
        static_assert(entry_list<List>, "ferry: run_decompositions takes a list, e.g. decompositions<my_silu>");
    static_assert(entry_list<Fakes>, "ferry: the second list of run_decompositions is one of fakes<...>");
    return detail::retrace(*this, {.fake = &detail::find_fake<Fakes>, .patch = &detail::find_decomposition<List>});
}

}  // namespace ferry
