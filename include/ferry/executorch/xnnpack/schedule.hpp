#pragma once

#include <ferry/executorch/xnnpack/delegate.hpp>
#include <ferry/executorch/xnnpack/fwd.hpp>
#include <ferry/executorch/xnnpack/program_facts.hpp>
#include <ferry/graph/graph.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace ferry::executorch::xnnpack {

/// Which nodes XNNPACK is given.
class Delegation {
public:
    Delegation(const ExportedProgram& program, FindDefine find, std::int64_t smallest)
        : facts_(program), find_(find), smallest_(static_cast<std::size_t>(std::max<std::int64_t>(smallest, 1))) {}

    [[nodiscard]] const ProgramFacts& facts() const noexcept { return facts_; }
    /// So many cheap ops make a part that is worth a call.
    [[nodiscard]] std::size_t smallest() const noexcept { return smallest_; }
    [[nodiscard]] bool takes(const Graph& graph, const Node& node) const;
    [[nodiscard]] Delegate delegate(const Graph& graph, const std::vector<const Node*>& nodes,
                                    const std::vector<Value>& outputs) const;

private:
    ProgramFacts facts_;
    FindDefine find_;
    std::size_t smallest_;
};

/// One node, or several that XNNPACK computes at once.
struct Step {
    std::vector<const Node*> nodes{};
    bool is_delegated = false;
    std::vector<Value> outputs{};  ///< of those that are delegated: what is needed elsewhere
};

/// The nodes of a graph that are delegated.
[[nodiscard]] std::unordered_set<const Node*> delegated_nodes(const Graph& graph, const Delegation& delegation);

/// A graph's nodes in an order in which those that XNNPACK takes stand together, as many as can.
[[nodiscard]] std::vector<Step> schedule(const Graph& graph, const Delegation& delegation);

}  // namespace ferry::executorch::xnnpack

#ifndef FERRY_COMPILED
#include <ferry/executorch/xnnpack/schedule-inl.hpp>
#endif
