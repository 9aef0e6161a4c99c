#include "dims.hpp"

#include <ferry/core/error.hpp>
#include <ferry/graph/sym_logic.hpp>
#include <ferry/graph/sym_parse.hpp>
#include <ferry/graph/sym_range.hpp>

#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace cli {
namespace {

struct Asked {
    std::string path;
    std::int64_t dim = 0;
    std::string size;
    std::optional<ferry::ValueRange> range;
};

[[noreturn]] void fail(const std::string& word, const std::string& what) {
    throw std::invalid_argument("--dim " + word + ": " + what);
}

std::int64_t number(std::string_view text, const std::string& word, const char* what) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty())
        fail(word, std::string(what) + " '" + std::string(text) + "' is no integer");
    return value;
}

Asked parse(const std::string& word) {
    const auto equals = word.find('=');
    const auto dot = word.rfind('.', equals);
    if (equals == std::string::npos || dot == std::string::npos || dot == 0)
        fail(word, "expected INPUT.DIMENSION=NAME[:MIN[:MAX]], e.g. input_ids.1=seq:1:2048");
    Asked made{word.substr(0, dot), 0, {}, {}};
    const std::string_view text = word;
    made.dim = number(text.substr(dot + 1, equals - dot - 1), word, "the dimension");
    std::string_view rest = text.substr(equals + 1);
    const auto next = [&] {
        const auto colon = rest.find(':');
        const auto part = rest.substr(0, colon);
        rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
        return part;
    };
    const bool has_range = rest.find(':') != std::string_view::npos;
    made.size = next();
    if (made.size.empty()) fail(word, "the dimension needs a name");
    if (!has_range) return made;
    ferry::ValueRange range;
    const auto min = next();
    if (!min.empty()) range.min = number(min, word, "the least size");
    if (const auto max = next(); !max.empty()) range.max = number(max, word, "the greatest size");
    if (!rest.empty()) fail(word, "more than a least and a greatest size");
    if (range.empty()) fail(word, "the least size is greater than the greatest");
    made.range = range;
    return made;
}

ferry::SymExpr size_of(const Asked& asked, const std::string& word) {
    try {
        return ferry::parse_sym_expr(asked.size);
    } catch (const ferry::Error&) {
        fail(word, "'" + asked.size + "' is neither a name nor a size in terms of names");
    }
}

std::optional<ferry::Dim::Kind> kind_of(std::string_view word) {
    if (word == "AUTO") return ferry::Dim::AUTO;
    if (word == "DYNAMIC") return ferry::Dim::DYNAMIC;
    if (word == "STATIC") return ferry::Dim::STATIC;
    return std::nullopt;
}

}  // namespace

ferry::DynamicShapes parse_dims(const std::vector<std::string>& words) {
    std::vector<Asked> all;
    all.reserve(words.size());
    std::map<std::string, ferry::ValueRange> ranges;  // one for each name, wherever it stands
    for (const std::string& word : words) {
        const Asked& asked = all.emplace_back(parse(word));
        if (!asked.range || kind_of(asked.size)) continue;
        if (!size_of(asked, word).is_symbol()) fail(word, "only a dimension with a plain name has a range");
        const auto [known, is_new] = ranges.emplace(asked.size, *asked.range);
        if (!is_new && !(known->second == *asked.range)) fail(word, "'" + asked.size + "' has another range elsewhere");
    }
    ferry::DynamicShapes shapes;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Asked& asked = all[i];
        std::optional<ferry::Dim> dim;
        if (const auto kind = kind_of(asked.size)) {
            if (asked.range &&
                (*kind != ferry::Dim::DYNAMIC || asked.range->min < 0 || asked.range->max != ferry::ValueRange::no_max))
                fail(words[i], "of these words only DYNAMIC has a range, and that a least size alone: DYNAMIC:0");
            dim = asked.range ? ferry::Dim::dynamic_from(asked.range->min) : ferry::Dim(*kind);
        } else {
            const ferry::SymExpr size = size_of(asked, words[i]);
            std::map<std::string, ferry::ValueRange> used;
            for (const std::string& name : ferry::free_symbols(size))
                used.emplace(name, ranges.contains(name) ? ranges.at(name) : ferry::ValueRange{});
            if (used.empty()) fail(words[i], "the size has no name in it; what is fixed needs no --dim");
            dim = ferry::Dim::of(size, std::move(used));
        }
        if (!shapes[asked.path].emplace(asked.dim, *dim).second) fail(words[i], "the dimension is given twice");
    }
    return shapes;
}

}  // namespace cli
