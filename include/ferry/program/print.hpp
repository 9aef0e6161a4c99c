#pragma once

#include <ferry/program/exported_program.hpp>
#include <ferry/program/signature.hpp>

#include <string>
#include <string_view>

namespace ferry {

/// Python's str(program.graph_signature), with `margin` before every line but the first.
[[nodiscard]] std::string to_string(const GraphSignature& signature, const Graph& graph, std::string_view margin = {});

}  // namespace ferry

#ifndef FERRY_COMPILED
#include <ferry/program/print-inl.hpp>
#endif
