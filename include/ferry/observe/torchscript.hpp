#pragma once

#include <ferry/dynamo/torchscript.hpp>
#include <ferry/observe/model_signature.hpp>
#include <ferry/observe/signature.hpp>
#include <ferry/tree/leaf.hpp>

#include <ATen/core/function_schema.h>
#include <torch/csrc/jit/api/module.h>

#include <cstddef>

namespace ferry {

/// forward's schema has names, and defaults too.
template <>
struct model_signature<torch::jit::Module> {
    [[nodiscard]] static Signature of(const torch::jit::Module& model) {
        Signature made;
        const auto& parameters = model.get_method("forward").function().getSchema().arguments();
        for (std::size_t i = 1; i < parameters.size(); ++i) {  // the first is the module
            made.names.push_back(parameters[i].name());
            const auto& usual = parameters[i].default_value();
            if (!usual) continue;
            if (usual->isBool()) made.defaults.emplace(parameters[i].name(), usual->toBool());
            if (usual->isInt()) made.defaults.emplace(parameters[i].name(), usual->toInt());
            if (usual->isDouble()) made.defaults.emplace(parameters[i].name(), usual->toDouble());
            if (usual->isString()) made.defaults.emplace(parameters[i].name(), usual->toStringRef());
        }
        return made;
    }
};

}  // namespace ferry
