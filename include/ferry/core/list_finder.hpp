#pragma once

#include <ferry/core/kinds.hpp>
#include <ferry/core/op_table.hpp>
#include <ferry/core/type_list.hpp>

#include <string_view>
#include <type_traits>

/// From an op to the function of a pipeline's entry for it.
namespace ferry {

/// Looks into one list. Each has a finder of its own, so that a pipeline that extends another one costs its additions: those of
/// Ferry's named lists are compiled once.
template <class List, class Function, template <class> class Bind>
struct list_finder {
    [[nodiscard]] static Function find(std::string_view op);
};
template <class List, class Function, template <class> class Bind>
Function list_finder<List, Function, Bind>::find(
    std::string_view op) {  // out of the class: not to be inlined where it is `extern`
    return op_table<List>::template function<Function, Bind>(op);
}
template <class List, class... Removed, class Function, template <class> class Bind>
struct list_finder<named_less<List, Removed...>, Function, Bind> {
    [[nodiscard]] static Function find(std::string_view op) {
        return op_table<type_list<Removed...>>::contains(op) ? nullptr : list_finder<List, Function, Bind>::find(op);
    }
};

namespace detail {

template <class Kind, class Function, template <class> class Bind, class Lists>
struct kind_finder;
template <class Kind, class Function, template <class> class Bind, class... Lists>
struct kind_finder<Kind, Function, Bind, type_list<Lists...>> {
    template <class List>
    static void look_into([[maybe_unused]] std::string_view op, [[maybe_unused]] Function& found) {
        if constexpr (std::is_same_v<kind_of<List>, Kind> && plain_t<List>::size != 0)
            if (found == nullptr) found = list_finder<List, Function, Bind>::find(op);
    }
    [[nodiscard]] static Function find(std::string_view op) {
        Function found = nullptr;
        (look_into<Lists>(op, found), ...);
        return found;
    }
};

}  // namespace detail

/// All lists of a kind that the pipeline has: `pipeline_finder<onnx_pipeline, translations<>, Translate, bind>`.
template <class Pipeline, class Kind, class Function, template <class> class Bind>
using pipeline_finder = detail::kind_finder<Kind, Function, Bind, typename Pipeline::lists>;

}  // namespace ferry
