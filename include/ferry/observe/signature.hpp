#pragma once

#include <ferry/tree/leaf.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ferry {

/// What a model's parameters are called, in order.
struct Signature {
    std::vector<std::string> names{};  ///< empty: not known, and any name will do
    std::map<std::string, Leaf, std::less<>> defaults{};  ///< of those that may be left out, where that is known
};

}  // namespace ferry
