#pragma once

#include <ferry/onnx/config.hpp>
#include <ferry/onnx/program.hpp>
#include <ferry/onnx/translation.hpp>
#include <ferry/program/exported_program.hpp>

#include <string_view>

/// From a program to a checked model: everything that does not depend on a pipeline's types.
namespace ferry::onnx {

/// A pipeline's entries as plain functions, so that an export is compiled once and not per pipeline.
struct ExportRules {
    Translation::Find translation;
    bool (*is_patched)(
        std::string_view op);  ///< it does something else, which no capture of this pipeline's has seen to yet
    bool (*has_parts)(std::string_view op);   ///< it can be written in smaller ops
    ExportedProgram (*take_apart)(const ExportedProgram&);  ///< all that has no translation, and writes to memory
    bool (*fix_node)(Graph&, ferry::Node&);  ///< true: the node is dealt with
    void (*fix_model)(Model&, bool optimize);
};

[[nodiscard]] OnnxProgram export_program(ExportedProgram program, const OnnxConfig& config, const ExportRules& rules);

}  // namespace ferry::onnx

#ifndef FERRY_COMPILED
#include <ferry/onnx/export_program-inl.hpp>
#endif
