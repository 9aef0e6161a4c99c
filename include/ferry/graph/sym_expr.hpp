#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/graph/detail/checked.hpp>

#include <algorithm>
#include <bit>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry {

enum class SymType : std::uint8_t { integer, real, boolean };

/// What an expression is at its top. Integers come first, then what is real, then what is true or false.
enum class SymOp : std::uint8_t {
    constant,
    infinity,
    symbol,
    sum,  ///< constant + coefficient * product of atoms to a power, ...; everything else is an atom
    floor_div,
    mod,
    power,  ///< with an exponent that is not a constant
    min,
    max,
    piecewise,  ///< value, condition, value, condition, ...
    ceil_to_int,
    floor_to_int,
    trunc_to_int,
    round_to_int,
    real,
    to_float,
    int_true_div,
    float_true_div,
    float_pow,
    trunc_to_float,
    round_decimal,
    unary,  ///< sqrt, exp, ...: a function of math.h by name
    real_sum,
    real_product,
    boolean,
    eq,
    ne,
    lt,
    le,
    gt,
    ge,
    all_of,
    any_of,
    negation,
};

struct SymFactor;
struct SymTerm;
namespace detail {
struct SymNode;
struct sym_access;
}  // namespace detail

/// An immutable expression over named sizes, in a normal form: expressions that the rules of Ferry find equal are built
/// alike and compare equal. Constants cost no allocation; copies share.
///
/// Symbols stand for integers. Those named `u` and digits (unbacked, as torch calls them) may have any sign; all others are
/// sizes, and taken to be zero or more. Simplifications hold for all such values where the expression is defined at all.
/// Arithmetic that leaves 64 bits, and expressions that grow past `max_weight`, are refused with ErrorKind::unsupported.
class SymExpr {
public:
    static constexpr std::uint32_t max_weight = 1U << 14;
    static constexpr std::uint16_t max_depth = 128;
    static constexpr std::int32_t max_degree = 63;

    SymExpr() noexcept = default;
    template <std::integral Integer>
        requires(!std::same_as<Integer, bool>)
    SymExpr(Integer value) noexcept : value_(static_cast<std::int64_t>(value)) {}  // implicit: a size is often a number

    [[nodiscard]] static SymExpr symbol(std::string_view name);
    [[nodiscard]] static SymExpr infinity(bool positive = true);
    [[nodiscard]] static SymExpr real(double value);
    [[nodiscard]] static SymExpr boolean(bool value);

    [[nodiscard]] SymOp op() const noexcept;
    [[nodiscard]] SymType type() const noexcept;
    [[nodiscard]] bool is_constant() const noexcept { return node_ == nullptr; }
    [[nodiscard]] bool is_constant(std::int64_t value) const noexcept { return is_constant() && value_ == value; }
    [[nodiscard]] bool is_symbol() const noexcept { return op() == SymOp::symbol; }
    /// The number of a constant; of a sum its constant part; 1 or -1 for the infinities; 0 or 1 for false and true.
    [[nodiscard]] std::int64_t value() const noexcept;
    [[nodiscard]] double real_value() const noexcept;
    [[nodiscard]] const std::string& name() const noexcept;  ///< of a symbol; of a unary function or remainder its own
    [[nodiscard]] const std::vector<SymExpr>& args() const noexcept;  ///< of anything but sums
    [[nodiscard]] const std::vector<SymTerm>& terms() const noexcept;  ///< of a sum, in the order in which they print
    [[nodiscard]] std::uint32_t weight() const noexcept;  ///< nodes, counted as a tree
    [[nodiscard]] std::uint16_t depth() const noexcept;

    /// Structural; there is no symbolic `==`, see `eq`.
    friend bool operator==(const SymExpr& a, const SymExpr& b);
    /// A total order, that of sympy's sort keys: what decides the order of printing.
    friend std::strong_ordering operator<=>(const SymExpr& a, const SymExpr& b);

private:
    friend struct detail::sym_access;
    std::int64_t value_ = 0;
    std::shared_ptr<const detail::SymNode> node_;
};

struct SymFactor {
    SymExpr base;  ///< never a constant, never a sum
    std::int32_t exponent = 1;
};

struct SymTerm {
    std::int64_t coefficient = 1;
    std::vector<SymFactor> factors;  ///< sorted, bases distinct
};

/// Whether a name is one that torch gives to sizes known only at run time: `u0`, `u17`.
[[nodiscard]] constexpr bool is_unbacked_name(std::string_view name) noexcept {
    if (name.size() < 2 || name.front() != 'u') return false;
    for (const char c : name.substr(1))
        if (c < '0' || c > '9') return false;
    return true;
}

namespace detail {

struct SymNode {
    SymOp op;
    SymType type = SymType::integer;
    std::uint16_t depth = 1;
    std::uint32_t weight = 1;
    std::int64_t constant = 0;
    double real = 0;
    std::string name{};
    std::vector<SymExpr> args{};
    std::vector<SymTerm> terms{};
};

inline SymType type_of(const SymNode& node) noexcept {
    if (node.op == SymOp::piecewise) return node.args.front().type();
    if (node.op == SymOp::min || node.op == SymOp::max) {
        const bool real = algo::any_of(node.args, [](const SymExpr& a) { return a.type() == SymType::real; });
        return real ? SymType::real : SymType::integer;
    }
    if (node.op < SymOp::real) return SymType::integer;
    return node.op < SymOp::boolean ? SymType::real : SymType::boolean;
}

struct sym_access {
    static SymExpr make(SymNode&& node) {
        std::uint64_t weight = 1;
        std::uint32_t depth = 0;
        const auto count = [&](const SymExpr& part) {
            weight += part.weight();
            depth = std::max<std::uint32_t>(depth, part.depth());
        };
        for (const auto& arg : node.args) count(arg);
        for (const auto& term : node.terms) {
            ++weight;
            for (const auto& factor : term.factors) count(factor.base);
        }
        if (weight > SymExpr::max_weight || depth >= SymExpr::max_depth) sym_too_large();
        node.weight = static_cast<std::uint32_t>(weight);
        node.depth = static_cast<std::uint16_t>(depth + 1);
        node.type = type_of(node);
        SymExpr result;
        result.node_ = std::make_shared<const SymNode>(std::move(node));
        return result;
    }
};

inline SymExpr make_call(SymOp op, std::vector<SymExpr> args) {
    SymNode node{.op = op};
    node.args = std::move(args);
    return sym_access::make(std::move(node));
}

}  // namespace detail

inline SymExpr SymExpr::symbol(std::string_view name) {
    if (name.empty()) throw Error(ErrorKind::invalid_input, "a symbol needs a name");
    detail::SymNode node{.op = SymOp::symbol};
    node.name = name;
    return detail::sym_access::make(std::move(node));
}
inline SymExpr SymExpr::infinity(bool positive) {
    return detail::sym_access::make({.op = SymOp::infinity, .constant = positive ? 1 : -1});
}
inline SymExpr SymExpr::real(double value) { return detail::sym_access::make({.op = SymOp::real, .real = value}); }
inline SymExpr SymExpr::boolean(bool value) {
    static const SymExpr constants[] = {detail::sym_access::make({.op = SymOp::boolean, .constant = 0}),
                                        detail::sym_access::make({.op = SymOp::boolean, .constant = 1})};
    return constants[value ? 1 : 0];
}

inline SymOp SymExpr::op() const noexcept { return node_ == nullptr ? SymOp::constant : node_->op; }
inline SymType SymExpr::type() const noexcept { return node_ == nullptr ? SymType::integer : node_->type; }
inline std::int64_t SymExpr::value() const noexcept { return node_ == nullptr ? value_ : node_->constant; }
inline double SymExpr::real_value() const noexcept {
    return node_ == nullptr ? static_cast<double>(value_) : node_->real;
}
inline const std::string& SymExpr::name() const noexcept {
    static const std::string none;
    return node_ == nullptr ? none : node_->name;
}
inline const std::vector<SymExpr>& SymExpr::args() const noexcept {
    static const std::vector<SymExpr> none;
    return node_ == nullptr ? none : node_->args;
}
inline const std::vector<SymTerm>& SymExpr::terms() const noexcept {
    static const std::vector<SymTerm> none;
    return node_ == nullptr ? none : node_->terms;
}
inline std::uint32_t SymExpr::weight() const noexcept { return node_ == nullptr ? 1 : node_->weight; }
inline std::uint16_t SymExpr::depth() const noexcept { return node_ == nullptr ? 1 : node_->depth; }

namespace detail {

inline std::string_view sym_class_name(const SymExpr& a) noexcept {
    switch (a.op()) {
        case SymOp::real: return "Float";
        case SymOp::infinity: return "IntInfinity";
        case SymOp::symbol: return "Symbol";
        case SymOp::floor_div: return "FloorDiv";
        case SymOp::mod: return a.name();
        case SymOp::power: return "PowByNatural";
        case SymOp::min: return "Min";
        case SymOp::max: return "Max";
        case SymOp::piecewise: return "Piecewise";
        case SymOp::ceil_to_int: return "CeilToInt";
        case SymOp::floor_to_int: return "FloorToInt";
        case SymOp::trunc_to_int: return "TruncToInt";
        case SymOp::round_to_int: return "RoundToInt";
        case SymOp::to_float: return "ToFloat";
        case SymOp::int_true_div: return "IntTrueDiv";
        case SymOp::float_true_div: return "FloatTrueDiv";
        case SymOp::float_pow: return "FloatPow";
        case SymOp::trunc_to_float: return "TruncToFloat";
        case SymOp::round_decimal: return "RoundDecimal";
        case SymOp::real_sum: return "Add";
        case SymOp::real_product: return "Mul";
        case SymOp::eq: return "Equality";
        case SymOp::ne: return "Unequality";
        case SymOp::lt: return "StrictLessThan";
        case SymOp::le: return "LessThan";
        case SymOp::gt: return "StrictGreaterThan";
        case SymOp::ge: return "GreaterThan";
        case SymOp::all_of: return "And";
        case SymOp::any_of: return "Or";
        case SymOp::negation: return "Not";
        default: return "";
    }
}

/// A negative exponent or coefficient never occurs in factors, so a term is all there is between an atom and a sum.
struct SymKey {
    int rank = 0;  // sympy's class key: numbers, atoms, products, sums, functions, the rest
    std::int64_t coefficient = 1;
    std::int32_t exponent = 1;
    const SymExpr* atom = nullptr;
    std::span<const SymFactor> factors{};
    std::span<const SymTerm> terms{};
    std::int64_t constant = 0;

    explicit SymKey(std::int64_t number) : coefficient(number) {}
    SymKey(std::int64_t scale, std::span<const SymFactor> product) : coefficient(scale) {
        if (product.size() == 1) {
            set_atom(product[0].base);
            exponent = product[0].exponent;
        } else {
            rank = 2;
            factors = product;
        }
    }
    explicit SymKey(const SymExpr& a) {
        if (a.is_constant()) {
            coefficient = a.value();
        } else if (a.op() != SymOp::sum) {
            set_atom(a);
        } else if (a.terms().size() == 1 && a.value() == 0) {
            *this = SymKey(a.terms()[0].coefficient, a.terms()[0].factors);
        } else {
            rank = 3;
            terms = a.terms();
            constant = a.value();
        }
    }

    [[nodiscard]] std::size_t size() const noexcept {
        if (rank == 0) return 0;
        if (rank == 2) return factors.size();
        if (rank == 3) return terms.size() + static_cast<std::size_t>(constant != 0);
        return atom->args().empty() ? 1 : atom->args().size();
    }
    [[nodiscard]] SymKey at(std::size_t index) const {
        if (rank == 2) return {1, factors.subspan(index, 1)};
        if (rank == 3)
            return index < terms.size() ? SymKey(terms[index].coefficient, terms[index].factors) : SymKey(constant);
        return SymKey(atom->args()[index]);
    }

private:
    void set_atom(const SymExpr& a) {
        atom = &a;
        switch (a.op()) {
            case SymOp::infinity:
            case SymOp::symbol:
            case SymOp::real:
            case SymOp::boolean: rank = 1; break;
            case SymOp::real_product: rank = 4; break;
            case SymOp::real_sum: rank = 5; break;
            case SymOp::min:
            case SymOp::max: rank = 7; break;
            default: rank = a.op() < SymOp::boolean ? 6 : 7; break;
        }
    }
};

inline std::strong_ordering compare_keys(const SymKey& a, const SymKey& b) {
    if (const auto order = a.rank <=> b.rank; order != 0) return order;
    if (a.atom != nullptr && a.atom != b.atom) {
        const SymOp left = a.atom->op();
        const SymOp right = b.atom->op();
        if (left != right) {
            if (const auto order = sym_class_name(*a.atom).compare(sym_class_name(*b.atom)) <=> 0; order != 0)
                return order;
            return left <=> right;
        }
        if (const auto order = a.atom->name().compare(b.atom->name()) <=> 0; order != 0) return order;
        if (const auto order = a.atom->value() <=> b.atom->value(); order != 0) return order;
        // Bits, not values: zeros of both signs are two constants, and every NaN has a place.
        if (left == SymOp::real)
            if (const auto order = std::bit_cast<std::int64_t>(a.atom->real_value()) <=>
                                   std::bit_cast<std::int64_t>(b.atom->real_value());
                order != 0)
                return order;
    }
    if (a.atom == nullptr || (a.atom != b.atom && !a.atom->args().empty())) {
        const std::size_t size = a.size();
        if (const auto order = size <=> b.size(); order != 0) return order;
        for (std::size_t i = 0; i < size; ++i)
            if (const auto order = compare_keys(a.at(i), b.at(i)); order != 0) return order;
    }
    if (const auto order = a.exponent <=> b.exponent; order != 0) return order;
    return a.coefficient <=> b.coefficient;
}

/// sympy's order of terms: lexicographic by exponents, the highest power of the first atom first.
inline std::strong_ordering compare_products(std::span<const SymFactor> a, std::span<const SymFactor> b) {
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        if (const auto order = a[i].base <=> b[i].base; order != 0) return order;
        if (const auto order = b[i].exponent <=> a[i].exponent; order != 0) return order;
    }
    return b.size() <=> a.size();
}

}  // namespace detail

inline std::strong_ordering operator<=>(const SymExpr& a, const SymExpr& b) {
    if (a.is_constant() && b.is_constant()) return a.value_ <=> b.value_;
    if (a.node_ == b.node_) return std::strong_ordering::equal;
    return detail::compare_keys(detail::SymKey(a), detail::SymKey(b));
}

inline bool operator==(const SymExpr& a, const SymExpr& b) {
    if (a.is_constant() != b.is_constant() || a.weight() != b.weight()) return false;
    return (a <=> b) == 0;
}

}  // namespace ferry
