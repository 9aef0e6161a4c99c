#pragma once

#include <ferry/tree/context.hpp>

#include <cstdint>
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
    [[nodiscard]] double real(std::string_view field, double otherwise);
    [[nodiscard]] bool flag(std::string_view field, bool otherwise);
    [[nodiscard]] std::string text(std::string_view field, std::string_view otherwise);
    [[nodiscard]] std::vector<std::string> texts(std::string_view field);

    /// Only this value is known.
    void expect(std::string_view field, const tree::Context& value);
    /// Throws for a field that nobody asked for.
    void finish() const;

private:
    [[noreturn]] void refuse(std::string_view field, const std::string& wanted) const;

    const tree::Context& fields_;
    std::set<std::string, std::less<>> read_{};
};

}  // namespace ferry::models

#ifndef FERRY_COMPILED
#include <ferry/models/config_reader-inl.hpp>
#endif
