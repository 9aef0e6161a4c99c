#pragma once

#include <ferry/tree/context.hpp>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::models {

/// A checkpoint's config.json. Every field is asked for, or known to change nothing: what is left in the end is an error, since a model
/// that does not know of it would compute something else.
class ConfigReader {
public:
    explicit ConfigReader(const tree::Context& fields) : fields_(fields) {}

    /// Null: it is not there, or none.
    [[nodiscard]] const tree::Context* find(std::string_view field);

    [[nodiscard]] std::int64_t integer(std::string_view field);
    [[nodiscard]] std::int64_t integer(std::string_view field, std::int64_t otherwise);
    [[nodiscard]] std::optional<std::int64_t> maybe_integer(std::string_view field);
    static constexpr std::int64_t most_layers = 10000;
    /// How many layers there are: a number that a model may count up to.
    [[nodiscard]] std::int64_t layers(std::string_view field);
    [[nodiscard]] std::int64_t layers(std::string_view field, std::int64_t otherwise);
    [[nodiscard]] double real(std::string_view field, double otherwise);
    /// `otherwise` is for what is not there: a field may also be there as none.
    [[nodiscard]] std::optional<double> maybe_real(std::string_view field, std::optional<double> otherwise = {});
    [[nodiscard]] bool flag(std::string_view field, bool otherwise);
    [[nodiscard]] std::string text(std::string_view field, std::string_view otherwise);
    [[nodiscard]] std::vector<std::string> texts(std::string_view field);
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view field);
    [[nodiscard]] std::vector<double> reals(std::string_view field);

    /// The fields of a config inside of this one; it has a finish() of its own.
    [[nodiscard]] ConfigReader section(std::string_view field);

    /// Only this value is known.
    void expect(std::string_view field, const tree::Context& value);
    /// They may be there, and change nothing in this model.
    void ignore(std::initializer_list<std::string_view> fields) {
        for (const std::string_view field : fields) read_.emplace(field);
    }
    /// Throws for a field that nobody asked for, and for a kind of attention that there is not.
    void finish() const;

private:
    /// A list's items, each as `read` gives it; where that gives none, `wanted` is told.
    template <class Value, class Read>
    [[nodiscard]] std::vector<Value> list(std::string_view field, const std::string& wanted, const Read& read);
    [[noreturn]] void refuse(std::string_view field, const std::string& wanted) const;

    const tree::Context& fields_;
    std::set<std::string, std::less<>> read_{};
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/config_reader-inl.hpp>
#endif
