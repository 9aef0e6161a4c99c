#include "description.hpp"

#include <ferry/core/error.hpp>
#include <ferry/files/json_writer.hpp>
#include <ferry/graph/scalar_types.hpp>
#include <ferry/graph/sym_print.hpp>

#include <variant>

namespace cli {
namespace {

using ferry::files::Json;

/// A size that is known is a number, one that varies is text.
Json json_of(const ferry::SymExpr& size) {
    return size.is_constant() ? Json(size.value()) : Json(ferry::to_string(size));
}

Json json_of(const ferry::Leaf& leaf) {
    if (const auto* flag = leaf.get_if<bool>()) return *flag;
    if (const auto* integer = leaf.get_if<std::int64_t>()) return *integer;
    if (const auto* real = leaf.get_if<double>()) return *real;
    if (const auto* text = leaf.get_if<std::string>()) return *text;
    return nullptr;
}

Json json_of(const std::vector<ferry::ValueSummary>& values) {
    Json all = Json::array();
    for (const ferry::ValueSummary& value : values) {
        Json shape;
        if (value.shape) {
            shape = Json::array();
            for (const ferry::SymExpr& size : *value.shape) shape.push_back(json_of(size));
        }
        all.push_back({{"position", value.position ? Json(*value.position) : Json()},
                       {"path", value.path},
                       {"name", value.name},
                       {"type", value.type},
                       {"dtype", value.dtype ? Json(ferry::info(*value.dtype).torch_name) : Json()},
                       {"shape", shape},
                       {"symbol", value.symbol ? json_of(*value.symbol) : Json()},
                       {"fixed", value.value.has_value()},
                       {"value", value.value ? json_of(*value.value) : Json()}});
    }
    return all;
}

Json json_of(const ferry::TensorCount& count) {
    return {{"tensors", count.tensors}, {"elements", count.elements}, {"bytes", count.bytes}};
}

Json json_of(const std::map<std::string, std::size_t>& counts) {
    Json all = Json::object();
    for (const auto& [name, count] : counts) all.put(name, count);
    return all;
}

Json json_of(const std::vector<ferry::executorch::MethodSummary>& methods) {
    Json all = Json::array();
    for (const ferry::executorch::MethodSummary& method : methods)
        all.push_back({{"name", method.name},
                       {"kernels", json_of(method.kernels)},
                       {"kernel_calls", method.kernel_calls},
                       {"backends", json_of(method.backends)},
                       {"delegates", method.delegates},
                       {"delegated_nodes", method.delegated_nodes},
                       {"planned_bytes", method.planned_bytes}});
    return all;
}

}  // namespace

std::string to_json(const Description& description) try {
    const ferry::ProgramSummary& program = description.program;
    Json mutations = Json::array(), ranges = Json::object();
    for (const auto& [kind, target] : program.mutations) mutations.push_back({{"kind", kind}, {"target", target}});
    for (const auto& [name, range] : program.ranges)
        ranges.put(name, {{"min", range.min == ferry::ValueRange::no_min ? Json() : Json(range.min)},
                          {"max", range.max == ferry::ValueRange::no_max ? Json() : Json(range.max)}});
    Json made{{"file", description.file},
              {"format", description.format},
              {"bytes", description.bytes},
              {"methods", Json::array_of(description.methods)},
              {"delegates", Json::array_of(description.delegates)},
              {"inputs", json_of(program.inputs)},
              {"outputs", json_of(program.outputs)},
              {"mutations", mutations},
              {"ranges", ranges},
              {"guards", Json::array_of(program.guards)},
              {"ops", json_of(program.ops)},
              {"weights", Json{{"parameters", json_of(program.weights.parameters)},
                               {"buffers", json_of(program.weights.buffers)},
                               {"constants", json_of(program.weights.constants)},
                               {"bytes", program.weights.bytes}}}};
    if (!description.executorch.empty()) made.put("executorch", json_of(description.executorch));
    return made.text() + '\n';
} catch (const ferry::Error&) {
    throw ferry::Error(ferry::ErrorKind::bad_file, "a name in the file is not UTF-8",
                       {.where = {.path = description.file}});
}

}  // namespace cli
