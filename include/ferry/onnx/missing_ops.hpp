#pragma once

#include <ferry/core/error.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/onnx/complex_numbers.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace ferry::onnx {

/// Ops that nothing translates: how often each is called, and in which modules.
class MissingOps {
public:
    template <class IsKnown>
    void look_through(const Graph& graph, const IsKnown& is_known) {
        for (const ferry::Node& node : graph.nodes()) {
            const bool is_complex = is_on_complex(graph, node);
            if (is_complex ? is_known(complex_name(node.op())) || (acts_on_parts(node.op()) && is_known(node.op()))
                           : is_known(node.op()))
                continue;
            Uses& uses = ops_[std::string(node.op())];
            uses.is_complex = uses.is_complex || is_complex;
            ++uses.count;
            uses.paths.emplace(node.module_path().empty() ? "<root>" : node.module_path());
        }
        for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) look_through(graph.subgraph({i}), is_known);
    }

    [[nodiscard]] bool empty() const noexcept { return ops_.empty(); }
    template <class Condition>
    [[nodiscard]] bool all_of(Condition&& condition) const {
        for (const auto& [op, uses] : ops_)
            if (!condition(std::string_view(op))) return false;
        return true;
    }

    [[noreturn]] void refuse() const {
        std::string message = ops_.size() == 1 ? "an op has no translation to ONNX:"
                                               : std::to_string(ops_.size()) + " ops have no translation to ONNX:";
        for (const auto& [op, uses] : ops_) {
            message.append("\n    ")
                .append(op)
                .append(uses.is_complex ? " on complex numbers, " : ", ")
                .append(std::to_string(uses.count));
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
        throw Error(ErrorKind::unsupported, message,
                    {.hint = "add a translation or a decomposition for each: "
                             "OnnxExporter<extend<onnx_pipeline, translations<my_op>>>",
                     .where = {.stage = "translations"}});
    }

private:
    static constexpr std::size_t most_paths = 8;
    struct Uses {
        std::size_t count = 0;
        bool is_complex = false;
        std::set<std::string> paths;
    };
    std::map<std::string, Uses> ops_;
};

}  // namespace ferry::onnx
