#include <ferry/core/error.hpp>
#include <ferry/files/json.hpp>
#include <ferry/files/json_writer.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <random>
#include <string>

namespace {

using ferry::files::Json;
using ferry::files::JsonDocument;
using ferry::files::JsonValue;
using Kind = JsonValue::Kind;
using Other = nlohmann::ordered_json;

/// What another library reads must be what Ferry reads.
bool same(const JsonValue& ours, const Other& other) {
    switch (ours.kind()) {
        case Kind::null: return other.is_null();
        case Kind::boolean: return other.is_boolean() && other.get<bool>() == ours.boolean();
        case Kind::integer: return other.is_number_integer() && other.get<std::int64_t>() == ours.integer();
        case Kind::real: return other.is_number() && other.get<double>() == ours.real();
        case Kind::text: return other.is_string() && other.get<std::string>() == ours.text();
        case Kind::list: {
            if (!other.is_array() || other.size() != ours.items().size()) return false;
            for (std::size_t i = 0; i < other.size(); ++i)
                if (!same(ours.items()[i], other[i])) return false;
            return true;
        }
        case Kind::object: {
            if (!other.is_object() || other.size() != ours.members().size()) return false;
            for (const auto& [key, value] : ours.members())
                if (!other.contains(key) || !same(value, other[std::string(key)])) return false;
            return true;
        }
    }
    return false;
}

class RandomJson {
public:
    explicit RandomJson(std::uint32_t seed) : random_(seed) {}

    Other other(int depth = 0) {
        switch (random_() % (depth > 5 ? 5 : 7)) {
            case 0: return nullptr;
            case 1: return random_() % 2 == 0;
            case 2: return static_cast<std::int64_t>((std::uint64_t{random_()} << 32 | random_()) >> random_() % 60);
            case 3: return std::uniform_real_distribution<double>(-1e9, 1e9)(random_);
            case 4: return text();
            case 5: {
                Other made = Other::array();
                for (auto count = random_() % 5; count > 0; --count) made.push_back(other(depth + 1));
                return made;
            }
            default: {
                Other made = Other::object();
                for (auto count = random_() % 5; count > 0; --count) made[text()] = other(depth + 1);
                return made;
            }
        }
    }
    std::string text() {
        static const std::string pieces[] = {"a",    "b0", "\"", "\\", "\n", "\t", "/",
                                             "\x01", "é",  "漢", "😀", " ",  "{",  "]"};
        std::string made;
        for (auto count = random_() % 6; count > 0; --count) made += pieces[random_() % std::size(pieces)];
        return made;
    }

private:
    std::mt19937 random_;
};

Json written(const Other& other) {
    if (other.is_boolean()) return other.get<bool>();
    if (other.is_number_integer()) return other.get<std::int64_t>();
    if (other.is_number()) return other.get<double>();
    if (other.is_string()) return other.get<std::string>();
    if (other.is_null()) return nullptr;
    Json made = other.is_array() ? Json::array() : Json::object();
    for (const auto& [key, value] : other.items())
        if (other.is_array())
            made.push_back(written(value));
        else
            made.put(key, written(value));
    return made;
}

bool is_refused(const std::string& text) {
    try {
        const JsonDocument document(text);
        return false;
    } catch (const ferry::Error& error) {
        return error.kind() == ferry::ErrorKind::bad_file;
    }
}

}  // namespace

TEST_CASE("JSON is read as another library reads it, however it is spaced and escaped") {
    for (std::uint32_t seed = 0; seed < 500; ++seed) {
        CAPTURE(seed);
        const Other other = RandomJson(seed).other();
        for (const std::string& text : {other.dump(), other.dump(2), other.dump(-1, ' ', /*ensure_ascii=*/true)})
            CHECK(same(JsonDocument(text).root(), other));
    }
}

TEST_CASE("another library reads what is written") {
    for (std::uint32_t seed = 0; seed < 500; ++seed) {
        CAPTURE(seed);
        const Other other = RandomJson(seed).other();
        CHECK(Other::parse(written(other).text()) == other);
    }
    for (const double real : {0.0, 1.0, -3.0, 1e-5, 1e300, 0.1, std::numeric_limits<double>::denorm_min()})
        CHECK(Other::parse(Json(real).text()).is_number_float());
    CHECK_THROWS_AS(Json(std::string("\xff")), ferry::Error);
}

TEST_CASE("what is damaged is refused as another library refuses it") {
    std::mt19937 random(7);
    std::size_t refused = 0;
    for (std::uint32_t seed = 0; seed < 2000; ++seed) {
        std::string text = RandomJson(seed).other().dump();
        text[random() % text.size()] = "[]{},:\"\\0a e-"[random() % 13];
        CAPTURE(text);
        const bool is_json = Other::accept(text);
        CHECK(is_refused(text) == !is_json);
        refused += is_json ? 0 : 1;
    }
    CHECK(refused > 200);
}

TEST_CASE("numbers, repeated keys and depth of JSON") {
    const std::string text = R"({"b": 1, "a": 9223372036854775807, "big": 9223372036854775808, "a": 2, "e": 1e2})";
    const JsonDocument document(text);
    const JsonValue& root = document.root();
    CHECK(root.members().size() == 4);
    CHECK(root.find("a")->integer() == 2);
    CHECK(root.find("big")->is(Kind::real));
    CHECK(root.find("big")->real() == 0x1p63);
    CHECK(root.find("e")->real() == 100);
    CHECK(root.find("c") == nullptr);
    for (const char* bad :
         {"", " ", "1e999", "01", "-", "[1,]", "{\"a\":1,}", "nul", "\"\x01\"", "\"\xff\"", "1 2", "\"\\u12\""})
        CHECK(is_refused(bad));
    CHECK_FALSE(is_refused(std::string(1000, '[') + std::string(1000, ']')));
    CHECK(is_refused(std::string(100'000, '[')));
}
