#pragma once

#include <ferry/core/op_name.hpp>
#include <ferry/core/op_table.hpp>
#include <ferry/graph/find_op.hpp>

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

/// Ops that Python libraries define in Python, which a process without Python has from a list: `library_ops<my_op>`.
namespace ferry {
namespace detail {

/// Registers an op, unless the process has it by now: from the library itself, or from another copy of Ferry.
inline void define_op(const op_name& op, std::string_view schema, torch::CppFunction kernel) {
    static std::mutex mutex;
    static std::vector<std::unique_ptr<torch::Library>> libraries;  // an op is there for as long as its library object
    const std::scoped_lock lock(mutex);
    if (find_op(op.text())) return;
    const std::string name(op.text().substr(op.text().find("::") + 2));
    auto library = std::make_unique<torch::Library>(torch::Library::FRAGMENT, std::string(op.qualifier()), std::nullopt,
                                                    __FILE__, __LINE__);
    library->def((name + std::string(schema)).c_str());
    // Of other ops, on all devices, and differentiable as they are.
    library->impl(name.c_str(), torch::dispatch(c10::DispatchKey::CompositeImplicitAutograd, std::move(kernel)));
    libraries.push_back(std::move(library));
}

template <class Entry>
struct bind_library_op {
    static_assert(Entry::target.size() == 1, "ferry: a library op is one op");
    static constexpr auto value =
        +[] { define_op(Entry::target[0], Entry::schema, torch::CppFunction::makeFromUnboxedFunction(&Entry::call)); };
};

}  // namespace detail

/// Makes sure that the process has the op, if the list does.
using ProvideOp = void (*)(std::string_view op);

template <class LibraryOps>
void provide_op(std::string_view op) {
    if (const auto define = op_table<LibraryOps>::template function<void (*)(), detail::bind_library_op>(op)) define();
}

}  // namespace ferry
