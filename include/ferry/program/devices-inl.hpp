#pragma once

#include <ferry/core/algorithm.hpp>
#include <ferry/core/error.hpp>
#include <ferry/core/linkage.hpp>
#include <ferry/graph/c10_types.hpp>
#include <ferry/graph/graph.hpp>
#include <ferry/program/devices.hpp>
#include <ferry/program/exported_program.hpp>

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/util/Exception.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ferry {

FERRY_INLINE bool has_device(const c10::Device& device) {
    if (device.is_cpu() || device.is_meta()) return true;
    if (!c10::impl::hasDeviceGuardImpl(device.type())) return false;
    const c10::DeviceIndex count = c10::impl::getDeviceGuardImpl(device.type())->deviceCount();
    return count > 0 && (!device.has_index() || device.index() < count);
}

FERRY_INLINE bool has_device(const Device& device) {
    try {
        return has_device(to_c10(device));
    } catch (const c10::Error&) {
        return false;
    }
}

namespace detail {

inline void collect_devices(const Graph& graph, std::vector<Device>& devices) {
    const auto add = [&](Value value) {
        const ValueInfo& info = graph.info(value);
        if (info.kind == ValueKind::tensor && !algo::contains(devices, info.tensor.device))
            devices.push_back(info.tensor.device);
    };
    for (const Value input : graph.inputs()) add(input);
    for (const Node& node : graph.nodes())
        for (const Output& output : node.outputs())
            for (const Value value : output.values) add(value);
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) collect_devices(graph.subgraph({i}), devices);
}

inline void move_graph(Graph& graph, const Device& device) {
    for (std::uint32_t i = 0; i < graph.num_values(); ++i) graph.info(Value{i}).tensor.device = device;
    for (Node& node : graph.nodes())
        for (std::size_t i = 0; i < node.arguments().size(); ++i)
            if (node.arguments()[i].value.is<Device>()) graph.set_argument(node, i, device);
    for (std::uint32_t i = 0; i < graph.num_subgraphs(); ++i) move_graph(graph.subgraph({i}), device);
}

}  // namespace detail

FERRY_INLINE void move_to_device(ExportedProgram& program, const c10::Device& device) {
    if (!has_device(device))
        throw Error(ErrorKind::invalid_input, "there is no device " + device.str() + " here",
                    {.hint = "choose another one, or a libtorch that is built for it"});
    for (auto* named : {&program.state, &program.constants})
        for (auto& [name, tensor] : *named) tensor = tensor.to(device);
    for (Leaf& leaf : program.example_inputs)
        if (leaf.is_tensor() && leaf.tensor().defined()) leaf = leaf.tensor().to(device);
    detail::move_graph(program.graph, to_device(device));
}

FERRY_INLINE void place_tensors(ExportedProgram& program) {
    std::unordered_map<std::string, Device> wanted;
    for (const InputSpec& input : program.signature.inputs)
        if (const auto* value = input.argument.get_if<Value>(); value != nullptr && !input.target.empty())
            wanted.emplace(input.target, program.graph.info(*value).tensor.device);
    for (auto* named : {&program.state, &program.constants})
        for (auto& [name, tensor] : *named) {
            const auto found = wanted.find(name);
            if (found == wanted.end() || found->second.type == "cpu") continue;
            if (has_device(found->second)) tensor = tensor.to(to_c10(found->second));
        }
}

FERRY_INLINE void require_devices(const ExportedProgram& program) {
    std::vector<Device> devices;
    detail::collect_devices(program.graph, devices);
    for (const Device& device : devices)
        if (!has_device(device))
            throw Error(ErrorKind::invalid_input,
                        "the program is for " + to_string(device) + ", and there is no such device here",
                        {.hint = "load it for another one: ferry::load(path, {.device = at::kCPU}), or --device cpu"});
}

}  // namespace ferry
