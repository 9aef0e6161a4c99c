#pragma once

#include <ferry/tree/leaf.hpp>
#include <ferry/tree/tree.hpp>

#include <functional>
#include <vector>

namespace ferry::capture {

/// A model as a capture sees it: leaves in, a tree out.
using RunModel = std::function<Tree(std::vector<Leaf>)>;

}  // namespace ferry::capture
