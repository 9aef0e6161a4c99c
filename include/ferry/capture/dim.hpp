#pragma once

#include <ferry/graph/sym_expr.hpp>
#include <ferry/graph/value_range.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace ferry {

/// What a dimension of an input may be: `Dim{"batch", 1, 32}`, `Dim::AUTO`, `Dim::DYNAMIC`, `Dim::STATIC`, one size, or derived,
/// `2 * seq + 1`.
class Dim {
public:
    enum class Kind : std::uint8_t { named, automatic, required, fixed };
    static constexpr Kind AUTO = Kind::automatic;    ///< find out by probing
    static constexpr Kind DYNAMIC = Kind::required;  ///< the same, but a model that allows one size only is refused
    static constexpr Kind STATIC = Kind::fixed;      ///< the size of the sample

    Dim(Kind kind) : kind_(kind) {}
    /// STATIC, and the sample must have this size.
    Dim(std::int64_t size) : kind_(Kind::fixed), fixed_size_(size) {}
    /// DYNAMIC, and tried from that size on. A size of 0 is tried only where the sample has it or somebody asks for it.
    [[nodiscard]] static Dim dynamic_from(std::int64_t least) {
        Dim made(DYNAMIC);
        made.ranges_.emplace(std::string(), ValueRange::at_least(least));
        return made;
    }
    /// Any size for which the model does the same.
    Dim(std::string name) : size_(SymExpr::symbol(name)), ranges_{{std::move(name), ValueRange{}}} {}
    /// Any size of a range; a model that does not hold for all of it is refused.
    Dim(std::string name, std::int64_t min, std::int64_t max = ValueRange::no_max)
        : size_(SymExpr::symbol(name)), ranges_{{std::move(name), ValueRange{min, max}}} {}

    /// A size in terms of named dimensions, with the range of each.
    [[nodiscard]] static Dim of(SymExpr size, std::map<std::string, ValueRange> ranges) {
        Dim made(Kind::named);
        made.size_ = std::move(size);
        made.ranges_ = std::move(ranges);
        return made;
    }

    [[nodiscard]] Kind kind() const noexcept { return kind_; }
    /// In terms of the named dimensions.
    [[nodiscard]] const SymExpr& size() const noexcept { return size_; }
    [[nodiscard]] const std::map<std::string, ValueRange>& ranges() const noexcept { return ranges_; }
    /// What a static dimension must be; none: whatever the sample has.
    [[nodiscard]] const std::optional<std::int64_t>& fixed_size() const noexcept { return fixed_size_; }

    /// From which size on one without a name is tried.
    [[nodiscard]] std::optional<std::int64_t> tried_from() const {
        if (kind_ != DYNAMIC || ranges_.empty()) return std::nullopt;
        return ranges_.begin()->second.min;
    }

    friend Dim operator+(const Dim& a, const Dim& b);
    friend Dim operator*(const Dim& a, const Dim& b);
    friend Dim operator+(const Dim& a, std::int64_t b);
    friend Dim operator+(std::int64_t a, const Dim& b) { return b + a; }
    friend Dim operator-(const Dim& a, std::int64_t b) { return a + -b; }
    friend Dim operator*(const Dim& a, std::int64_t b);
    friend Dim operator*(std::int64_t a, const Dim& b) { return b * a; }

private:
    static Dim derived(SymExpr size, const Dim& a, const Dim& b);

    Kind kind_ = Kind::named;
    SymExpr size_{};
    std::map<std::string, ValueRange> ranges_{};
    std::optional<std::int64_t> fixed_size_{};
};

/// Which dimensions of which inputs may vary: input path -> dimension -> Dim; what is not in it is static. A path may be the start of
/// several (`past_key_values`), and `*` stands for any one component (`past_key_values.*.keys`). Where two are of one dimension,
/// the closer one decides: an input's own path, then the longer one.
using DynamicShapes = std::map<std::string, std::map<std::int64_t, Dim>, std::less<>>;

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/capture/dim-inl.hpp>
#endif
