// One call of an op as a line of text: `aten::add.Tensor(f32[a,3], @num[3], alpha=2)`.
//   f32[2,3]         a tensor of random numbers; also f16 bf16 f64 i8 i16 i32 i64 u8 bool; f32[2]{0.5..2} says from where to where
//   i64[4]{0..5 sorted}, {0..5 distinct}   each row in ascending order; no number twice in a row
//   f32[4,4]{definite}   matrices that are symmetric and positive definite
//   f32[a,3]         a dimension that varies: captured at one size, compared there and at another; a letter may stand where a number may
//   @num[2]          one case for each dtype of a set; the same set stands for the same dtype throughout a line
//   ... -> 0         only this result is compared; others are not part of the model
//   ... -> about     numbers drawn by chance: their means and deviations are compared
//   1 0.5 inf true none 'text' [1, 2] f32 cpu   constants, lists, dtypes, a device; arguments by place, then by name
#pragma once

#include <ferry/graph/argument.hpp>

#include <cctype>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferry_test {

/// A size: a number, or a letter that stands for one that varies.
struct CaseSize {
    std::int64_t number = 0;
    char letter = 0;
};
struct CaseTensor {
    ferry::DType dtype{};
    std::vector<CaseSize> sizes{};
    std::optional<std::pair<double, double>> range{};
    bool is_sorted = false;  ///< along the last dimension
    bool is_distinct = false;  ///< as well
    bool is_definite = false;  ///< a symmetric matrix with positive eigenvalues
};
struct CaseArgument {
    std::string name{};  ///< empty: by place
    ferry::Argument value{};  ///< a Value is a tensor of the case; a Subgraph is a letter
};
struct OpCase {
    std::string text{};
    std::string op{};
    std::vector<CaseTensor> tensors{};
    std::vector<CaseArgument> arguments{};
    std::optional<std::size_t> only{};  ///< of the results
    bool is_random = false;

    [[nodiscard]] bool is_dynamic() const {
        for (const CaseTensor& tensor : tensors)
            for (const CaseSize& size : tensor.sizes)
                if (size.letter != 0) return true;
        return false;
    }
};

[[nodiscard]] inline std::optional<ferry::DType> find_dtype(std::string_view name) {
    static const std::map<std::string_view, ferry::DType> dtypes{
        {"f16", ferry::DType::float16}, {"bf16", ferry::DType::bfloat16}, {"f32", ferry::DType::float32},
        {"f64", ferry::DType::float64}, {"i8", ferry::DType::int8},       {"i16", ferry::DType::int16},
        {"i32", ferry::DType::int32},   {"i64", ferry::DType::int64},     {"u8", ferry::DType::uint8},
        {"bool", ferry::DType::boolean}};
    const auto found = dtypes.find(name);
    return found == dtypes.end() ? std::nullopt : std::optional(found->second);
}

/// Lines with one dtype in place of each set of them.
[[nodiscard]] inline std::vector<std::string> expand_sets(const std::string& line) {
    static const std::vector<std::pair<std::string, std::vector<std::string>>> sets{
        {"@float", {"f32", "f64", "f16", "bf16"}},
        {"@real", {"f32", "f16", "bf16"}},
        {"@int", {"i64", "i32", "i16", "i8", "u8"}},
        {"@num", {"f32", "f64", "f16", "bf16", "i64", "i32", "i16", "i8", "u8"}},
        {"@any", {"f32", "f64", "f16", "bf16", "i64", "i32", "i16", "i8", "u8", "bool"}},
        {"@one", {"f32", "i64"}},
        {"@two", {"f32", "f16", "i64", "i32", "bool"}},
    };
    for (const auto& [name, dtypes] : sets) {
        if (line.find(name) == std::string::npos) continue;
        std::vector<std::string> all;
        for (const std::string& dtype : dtypes) {
            std::string made = line;
            for (auto at = made.find(name); at != std::string::npos; at = made.find(name))
                made.replace(at, name.size(), dtype);
            for (std::string& each : expand_sets(made)) all.push_back(std::move(each));
        }
        return all;
    }
    return {line};
}

class CaseReader {
public:
    explicit CaseReader(std::string_view text) : text_(text) {}

    [[nodiscard]] OpCase read() {
        made_.text = text_;
        const auto open = text_.find('(');
        if (open == std::string_view::npos) fail("no '('");
        made_.op = std::string(text_.substr(0, open));
        at_ = open + 1;
        skip();
        while (!take(')')) {
            CaseArgument argument;
            const std::size_t start = at_;
            const std::string name = word();
            if (!name.empty() && take('='))
                argument.name = name;
            else
                at_ = start;
            argument.value = value();
            made_.arguments.push_back(std::move(argument));
            if (!take(',')) skip();
        }
        const std::string_view rest = text_.substr(at_);
        if (rest == "-> about")
            made_.is_random = true;
        else if (rest.starts_with("-> "))
            made_.only = std::stoull(std::string(rest.substr(3)));
        return std::move(made_);
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error("in the case '" + std::string(text_) + "' at " + std::to_string(at_) + ": " + what);
    }
    void skip() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }
    bool take(char c) {
        skip();
        if (at_ >= text_.size()) fail("the line ends too early");
        if (text_[at_] != c) return false;
        ++at_;
        skip();
        return true;
    }
    std::string word() {
        skip();
        const std::size_t start = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
        return std::string(text_.substr(start, at_ - start));
    }
    std::string number_text() {
        const std::size_t start = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '-' ||
                                      (text_[at_] == '.' && !text_.substr(at_).starts_with(".."))))
            ++at_;
        skip();
        return std::string(text_.substr(start, at_ - start));
    }

    ferry::Argument value() {
        skip();
        if (take('[')) {
            ferry::ArgumentList list;
            while (!take(']')) {
                list.push_back(value());
                take(',');
            }
            return list;
        }
        if (take('\'')) {
            const auto end = text_.find('\'', at_);
            std::string text(text_.substr(at_, end - at_));
            at_ = end + 1;
            return text;
        }
        const std::size_t start = at_;
        const std::string name = word();
        if (const auto dtype = find_dtype(name)) {
            skip();
            if (at_ < text_.size() && text_[at_] == '[') return tensor(*dtype);
            return *dtype;
        }
        if (name == "none") return {};
        if (name == "true" || name == "false") return name == "true";
        if (name == "cpu") return ferry::Device{};
        if (name == "inf") return std::numeric_limits<double>::infinity();
        if (name.size() == 1 && std::islower(static_cast<unsigned char>(name[0])))
            return ferry::Subgraph{static_cast<std::uint32_t>(name[0])};
        at_ = start;
        const std::string number = number_text();
        if (number.empty()) fail("a value was expected");
        if (number == "-inf") return -std::numeric_limits<double>::infinity();
        if (number.find_first_of(".e") != std::string::npos) return std::stod(number);
        return static_cast<std::int64_t>(std::stoll(number));
    }

    ferry::Argument tensor(ferry::DType dtype) {
        CaseTensor made{.dtype = dtype};
        take('[');
        while (!take(']')) {
            skip();
            if (std::islower(static_cast<unsigned char>(text_[at_])))
                made.sizes.push_back({.letter = text_[at_++]});
            else
                made.sizes.push_back({.number = std::stoll(number_text())});
            take(',');
        }
        if (at_ < text_.size() && take('{')) {
            if (text_.substr(at_, text_.find('}', at_) - at_).find("..") != std::string_view::npos) {
                const double low = std::stod(number_text());
                at_ += 2;  // ".."
                made.range = std::pair(low, std::stod(number_text()));
            }
            for (std::string kind = word(); !kind.empty(); kind = word()) {
                made.is_sorted = made.is_sorted || kind == "sorted";
                made.is_distinct = made.is_distinct || kind == "distinct";
                made.is_definite = made.is_definite || kind == "definite";
            }
            take('}');
        }
        made_.tensors.push_back(std::move(made));
        return ferry::Value{static_cast<std::uint32_t>(made_.tensors.size() - 1)};
    }

    std::string_view text_;
    std::size_t at_ = 0;
    OpCase made_;
};

}  // namespace ferry_test
