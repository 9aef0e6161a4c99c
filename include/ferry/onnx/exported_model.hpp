#pragma once

#include <ferry/onnx/config.hpp>
#include <ferry/onnx/ir/model.hpp>
#include <ferry/onnx/names.hpp>

#include <memory>
#include <mutex>

namespace ferry::onnx {

class Runner;  // what runs a model, in verify/run_onnx-inl.hpp

/// What an OnnxProgram holds.
struct ExportedModel {
    Model model;
    Interface interface;
    OnnxConfig config;
    std::once_flag once{};  ///< the runner is made once, whichever thread and whichever copy of a program comes first
    std::shared_ptr<Runner> runner{};
};

}  // namespace ferry::onnx
