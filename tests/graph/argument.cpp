#include <ferry/graph/argument.hpp>

#include <ferry/graph/detail/argument_hash.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <string>
#include <utility>
#include <vector>

using namespace ferry;

TEST_CASE("every kind keeps its type") {
    CHECK(Argument().is_none());
    CHECK(Argument(Value{3}).is<Value>());
    CHECK(Argument(true).is<bool>());
    CHECK(Argument(3).is<std::int64_t>());
    CHECK(Argument(std::int64_t{3}).is<std::int64_t>());
    CHECK(Argument(0.5).is<double>());
    CHECK(Argument(std::complex<double>(1, 2)).is<std::complex<double>>());
    CHECK(Argument("text").is<std::string>());
    CHECK(Argument(std::string("text")).is<std::string>());
    CHECK(Argument(DType::int8).is<DType>());
    CHECK(Argument(Layout::strided).is<Layout>());
    CHECK(Argument(MemoryFormat::preserve).is<MemoryFormat>());
    CHECK(Argument(Device{"cuda", 1}).is<Device>());
    CHECK(Argument(Subgraph{1}).is<Subgraph>());
    CHECK(Argument(ArgumentList{1, 2}).is<ArgumentList>());
    CHECK(Argument(3).get_if<double>() == nullptr);
    CHECK(*Argument("text").get_if<std::string>() == "text");
}

TEST_CASE("values are found in lists of lists") {
    Argument argument = ArgumentList{Value{1}, 5, ArgumentList{Value{2}, Argument(), Value{1}}};
    std::vector<std::uint32_t> found;
    for_each_value(std::as_const(argument), [&](Value value) { found.push_back(value.index); });
    CHECK(found == std::vector<std::uint32_t>{1, 2, 1});
    for_each_value(argument, [](Value& value) { value.index += 10; });
    CHECK(argument == Argument(ArgumentList{Value{11}, 5, ArgumentList{Value{12}, Argument(), Value{11}}}));
}

TEST_CASE("identical is more than equal") {
    using ferry::detail::hash_of;
    using ferry::detail::is_identical;
    const auto same = [](const Argument& a, const Argument& b) {
        return is_identical(a, b) && hash_of(a) == hash_of(b);
    };
    CHECK(same(ArgumentList{1, "a", Device{}}, ArgumentList{1, "a", Device{}}));
    CHECK(same(std::nan(""), std::nan("")));
    CHECK(!is_identical(0.0, -0.0));
    CHECK(!is_identical(1, 1.0));
    CHECK(!is_identical(1, true));
    CHECK(!is_identical(DType::uint8, Layout::strided));
    CHECK(!is_identical(std::complex<double>(0.0, 1), std::complex<double>(-0.0, 1)));
    CHECK(!is_identical(ArgumentList{1}, ArgumentList{1, 1}));
    CHECK(!is_identical(Device{"cuda", 0}, Device{"cuda"}));
}
