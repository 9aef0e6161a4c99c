#include "calls.hpp"

#include "checkpoint.hpp"
#include "model_file.hpp"
#include "program_file.hpp"
#include "script_file.hpp"

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace cli {
namespace {

/// Tensors below one path, by what their own begin with.
ferry::Tree nested(const ferry::NamedTensors& tensors) {
    if (tensors.size() == 1 && tensors[0].first.empty()) return ferry::Leaf(tensors[0].second);
    std::vector<std::pair<std::string, ferry::NamedTensors>> groups;
    for (const auto& [path, tensor] : tensors) {
        const std::size_t dot = std::min(path.find('.'), path.size());
        const std::string first = path.substr(0, dot);
        if (first.empty())
            throw ferry::Error(ferry::ErrorKind::invalid_input, "an input is both a tensor and what holds tensors");
        auto group = ferry::algo::find(groups, first, &decltype(groups)::value_type::first);
        if (group == groups.end()) group = groups.insert(group, {first, {}});
        group->second.emplace_back(dot < path.size() ? path.substr(dot + 1) : "", tensor);
    }
    std::vector<ferry::Tree> in_list;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const auto group = ferry::algo::find(groups, std::to_string(i), &decltype(groups)::value_type::first);
        if (group == groups.end()) break;
        in_list.push_back(nested(group->second));
    }
    if (in_list.size() == groups.size()) return ferry::Tree::list(std::move(in_list));
    ferry::Inputs in_dict;
    for (const auto& [name, inside] : groups) in_dict.set(name, nested(inside));
    return in_dict.tree();
}

}  // namespace

ferry::Inputs nested_inputs(const ferry::NamedTensors& tensors) {
    std::map<std::string, ferry::NamedTensors> by_name;
    for (const auto& [path, tensor] : tensors) {
        const std::size_t dot = std::min(path.find('.'), path.size());
        by_name[path.substr(0, dot)].emplace_back(dot < path.size() ? path.substr(dot + 1) : "", tensor);
    }
    ferry::Inputs made;
    for (const auto& [name, inside] : by_name) made.set(name, nested(inside));
    return made;
}

ferry::InputObserver observe_calls(const CallFiles& files) {
    const at::NoGradGuard no_gradients;
    ferry::InputObserver observer(files.missing.empty() ? ferry::Inputs() : nested_inputs(load_tensors(files.missing)));
    std::vector<ferry::NamedTensors> calls;
    for (const std::string& each : files.calls) calls.push_back(load_tensors(each));
    if (is_checkpoint(files.model)) {
        observe_checkpoint(files.model, calls, observer);
        return observer;
    }
    switch (model_kind(files.model)) {
        case ModelKind::pt2: observe_program(load_program(files.model, ""), calls, observer); break;
        case ModelKind::torchscript: ScriptFile(files.model).observe(calls, observer); break;
        default:
            throw ferry::Error(ferry::ErrorKind::invalid_input,
                               "calls are made of a .pt2 program, a TorchScript module or a checkpoint",
                               {.where = {.path = files.model.string()}});
    }
    return observer;
}

}  // namespace cli
