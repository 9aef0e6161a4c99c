#pragma once

#include <ferry/core/export_format.hpp>
#include <ferry/program/exported_program.hpp>
#include <ferry/recipes/auto_exporters.hpp>

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace ferry {

/// What an exporter gave that was chosen at run time.
template <class Exporters>
class AutoProgram;

template <class... Exporters>
class AutoProgram<auto_exporters<Exporters...>> {
    template <class Exporter>
    using result_of = decltype(std::declval<const Exporter&>().export_program(
        std::declval<ExportedProgram>(), std::declval<const typename Exporter::Config&>()));

public:
    using Any =
        std::variant<result_of<Exporters>...>;  ///< a type may be there twice: the place is that of the exporter

    template <class Exporter>
    [[nodiscard]] static AutoProgram of(result_of<Exporter> program) {
        return AutoProgram(Any(std::in_place_index<index_of_v<type_list<Exporters...>, Exporter>>, std::move(program)));
    }

    void save(const std::filesystem::path& path) const {
        std::visit([&](const auto& program) { program.save(path); }, any_);
    }
    [[nodiscard]] std::string_view format() const noexcept { return auto_exporters<Exporters...>::names[any_.index()]; }
    /// The ending of its files: ".onnx".
    [[nodiscard]] std::string_view suffix() const noexcept {
        constexpr std::string_view all[] = {Exporters::suffix...};
        return all[any_.index()];
    }
    /// For std::visit.
    [[nodiscard]] const Any& any() const noexcept { return any_; }
    /// Null: it is of another type.
    template <class Program>
    [[nodiscard]] const Program* get_if() const noexcept {
        return std::visit(
            [](const auto& program) -> const Program* {
                if constexpr (std::is_same_v<std::remove_cvref_t<decltype(program)>, Program>)
                    return &program;
                else
                    return nullptr;
            },
            any_);
    }

private:
    explicit AutoProgram(Any any) : any_(std::move(any)) {}

    Any any_;
};

}  // namespace ferry
