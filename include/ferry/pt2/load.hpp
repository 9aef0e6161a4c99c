#pragma once

#include <ferry/core/error.hpp>
#include <ferry/core/kinds.hpp>
#include <ferry/core/type_list.hpp>
#include <ferry/graph/library_ops.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/program/libraries/default_libraries.hpp>

#include <c10/core/Device.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace ferry {

struct LoadOptions {
    std::string model{};  ///< which of several programs in the file; need not be given where there is one
    std::optional<c10::Device> device{};  ///< where to put the program; where it was saved, as far as that is there
};

namespace pt2 {

[[nodiscard]] ExportedProgram load_program(const std::filesystem::path& path, const LoadOptions& options,
                                           ProvideOp provide);

/// Of the libraries that Ferry knows.
void provide_known_op(std::string_view op);

}  // namespace pt2

namespace detail {

template <class LibraryOps>
void provide_op_of([[maybe_unused]] std::string_view op) {
    if constexpr (LibraryOps::size != 0) {
        static_assert(op_table<concat_t<default_library_ops, LibraryOps>>::no_clash);
        provide_op<LibraryOps>(op);
    }
    pt2::provide_known_op(op);
}

}  // namespace detail

/// Reads a program that torch 2.9 to 2.12, or Ferry, has saved. Its tensors' memory is the file's, mapped, which must not be cut
/// short while they are in use. Example inputs are there if they are tensors and plain values; no code of the file is ever run.
/// `LibraryOps` are ops of Python libraries that the program may use, beside those that Ferry knows.
template <class LibraryOps = library_ops<>>
[[nodiscard]] ExportedProgram load(const std::filesystem::path& path, const LoadOptions& options = {}) {
    static_assert(entry_list<LibraryOps>, "ferry: load takes a list of ops, e.g. ferry::library_ops<my_op>");
    return pt2::load_program(path, options, &detail::provide_op_of<LibraryOps>);
}

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/pt2/load-inl.hpp>
#endif
