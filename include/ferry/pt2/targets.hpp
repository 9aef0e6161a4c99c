#pragma once

#include <ferry/core/error.hpp>

#include <string>
#include <string_view>

/// Between a graph's names of ops and those that the file has: "aten::add.Tensor" is "torch.ops.aten.add.Tensor".
namespace ferry::pt2 {

[[nodiscard]] inline bool is_python_module(std::string_view space) noexcept {
    return space == "_operator" || space == "math" || space == "torch";
}

[[nodiscard]] inline std::string to_target(std::string_view op) {
    const auto colons = op.find("::");
    const std::string_view space = op.substr(0, colons);
    const std::string name(colons == op.npos ? std::string_view() : op.substr(colons + 2));
    if (is_python_module(space)) return std::string(space) + '.' + name;
    const bool bare = space != "higher_order" && name.find('.') == name.npos;
    return "torch.ops." + std::string(space) + '.' + name + (bare ? ".default" : "");
}

[[nodiscard]] inline std::string from_target(std::string_view target) {
    const auto fail = [&]() -> std::string {
        throw Error(ErrorKind::unsupported, "the program calls something that is no op: '" + std::string(target) + "'");
    };
    constexpr std::string_view ops = "torch.ops.";
    if (!target.starts_with(ops)) {
        const auto dot = target.rfind('.');
        if (dot == target.npos || !is_python_module(target.substr(0, dot))) return fail();
        return std::string(target.substr(0, dot)) + "::" + std::string(target.substr(dot + 1));
    }
    const std::string_view rest = target.substr(ops.size());
    const auto first = rest.find('.');
    if (first == rest.npos || first == 0) return fail();
    const std::string space(rest.substr(0, first));
    std::string_view name = rest.substr(first + 1);
    if (space != "higher_order" && name.ends_with(".default")) name.remove_suffix(8);
    if (name.empty()) return fail();
    return space + "::" + std::string(name);
}

}  // namespace ferry::pt2
