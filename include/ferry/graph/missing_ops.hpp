#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/graph.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace ferry {

/// Ops that a backend cannot take: how often each is called, and in which modules.
class MissingOps {
public:
    /// `is_known(graph, node)`; `remark(graph, node)` is put behind the op's name.
    template <class IsKnown, class Remark>
    void look_through(const Graph& graph, const IsKnown& is_known, const Remark& remark) {
        for (const Node& node : graph.nodes()) {
            if (is_known(graph, node)) continue;
            Uses& uses = ops_[std::string(node.op())];
            if (uses.remark.empty()) uses.remark = remark(graph, node);
            ++uses.count;
            uses.paths.emplace(node.module_path().empty() ? "<root>" : node.module_path());
        }
        for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) look_through(graph.subgraph({i}), is_known, remark);
    }
    template <class IsKnown>
    void look_through(const Graph& graph, const IsKnown& is_known) {
        look_through(graph, is_known, [](const Graph&, const Node&) { return std::string(); });
    }

    [[nodiscard]] bool empty() const noexcept { return ops_.empty(); }
    template <class Condition>
    [[nodiscard]] bool all_of(Condition&& condition) const {
        for (const auto& [op, uses] : ops_)
            if (!condition(std::string_view(op))) return false;
        return true;
    }

    /// `lack` is what they do not have, as in "an op has no translation to ONNX".
    [[noreturn]] void refuse(const std::string& lack, const ErrorDetails& details) const {
        std::string message = ops_.size() == 1 ? "an op has " : std::to_string(ops_.size()) + " ops have ";
        message.append(lack).append(":");
        for (const auto& [op, uses] : ops_) {
            message.append("\n    ").append(op).append(uses.remark).append(", ").append(std::to_string(uses.count));
            message.append(uses.count == 1 ? " call in " : " calls in ");
            std::size_t shown = 0;
            for (const std::string& path : uses.paths) {
                if (shown == most_paths) {
                    message.append(" and ").append(std::to_string(uses.paths.size() - shown)).append(" more");
                    break;
                }
                message.append(shown++ == 0 ? "" : ", ").append(path);
            }
        }
        throw Error(ErrorKind::unsupported, message, details);
    }

private:
    static constexpr std::size_t most_paths = 8;
    struct Uses {
        std::size_t count = 0;
        std::string remark;
        std::set<std::string> paths;
    };
    std::map<std::string, Uses> ops_;
};

}  // namespace ferry
