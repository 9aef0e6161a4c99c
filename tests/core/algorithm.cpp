#include <ferry/core/algorithm.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace algo = ferry::algo;

TEST_CASE("a stable sort leaves what is equal in its order") {
    std::mt19937 random(7);
    for (const std::size_t size : {0, 1, 2, 17, 1000}) {
        CAPTURE(size);
        std::vector<std::pair<int, std::string>> words;
        for (std::size_t i = 0; i < size; ++i) words.emplace_back(static_cast<int>(random() % 10), std::to_string(i));
        algo::stable_sort(words, std::greater<>{}, &std::pair<int, std::string>::first);
        for (std::size_t i = 1; i < size; ++i) {
            CHECK(words[i - 1].first >= words[i].first);
            if (words[i - 1].first == words[i].first)
                CHECK(std::stoi(words[i - 1].second) < std::stoi(words[i].second));
        }
    }
}

TEST_CASE("a stable sort moves what cannot be copied") {
    std::vector<std::unique_ptr<int>> numbers;
    for (const int number : {3, 1, 2}) numbers.push_back(std::make_unique<int>(number));
    algo::stable_sort(numbers, {}, [](const auto& number) { return *number; });
    CHECK(*numbers[0] == 1);
    CHECK(*numbers[1] == 2);
    CHECK(*numbers[2] == 3);
}
