#include "description.hpp"

#include <ferry/core/error.hpp>
#include <ferry/graph/scalar_types.hpp>
#include <ferry/graph/sym_print.hpp>

#include <nlohmann/json.hpp>

#include <variant>

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

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
        Json made;
        made["position"] = value.position ? Json(*value.position) : Json();
        made["path"] = value.path;
        made["name"] = value.name;
        made["type"] = value.type;
        made["dtype"] = value.dtype ? Json(ferry::info(*value.dtype).torch_name) : Json();
        made["shape"] = Json();
        if (value.shape) {
            made["shape"] = Json::array();
            for (const ferry::SymExpr& size : *value.shape) made["shape"].push_back(json_of(size));
        }
        made["symbol"] = value.symbol ? json_of(*value.symbol) : Json();
        made["fixed"] = value.value.has_value();
        made["value"] = value.value ? json_of(*value.value) : Json();
        all.push_back(std::move(made));
    }
    return all;
}

Json json_of(const ferry::TensorCount& count) {
    return {{"tensors", count.tensors}, {"elements", count.elements}, {"bytes", count.bytes}};
}

}  // namespace

std::string to_json(const Description& description) {
    const ferry::ProgramSummary& program = description.program;
    Json made;
    made["file"] = description.file;
    made["format"] = description.format;
    made["bytes"] = description.bytes;
    made["methods"] = description.methods;
    made["delegates"] = description.delegates;
    made["inputs"] = json_of(program.inputs);
    made["outputs"] = json_of(program.outputs);
    made["mutations"] = Json::array();
    for (const auto& [kind, target] : program.mutations)
        made["mutations"].push_back({{"kind", kind}, {"target", target}});
    made["ranges"] = Json::object();
    for (const auto& [name, range] : program.ranges)
        made["ranges"][name] = {{"min", range.min == ferry::ValueRange::no_min ? Json() : Json(range.min)},
                                {"max", range.max == ferry::ValueRange::no_max ? Json() : Json(range.max)}};
    made["guards"] = program.guards;
    made["ops"] = program.ops;
    made["weights"] = {{"parameters", json_of(program.weights.parameters)},
                       {"buffers", json_of(program.weights.buffers)},
                       {"constants", json_of(program.weights.constants)},
                       {"bytes", program.weights.bytes}};
    try {
        return made.dump(2) + '\n';
    } catch (const nlohmann::json::exception&) {
        throw ferry::Error(ferry::ErrorKind::bad_file, "a name in the file is not UTF-8",
                           {.where = {.path = description.file}});
    }
}

}  // namespace cli
