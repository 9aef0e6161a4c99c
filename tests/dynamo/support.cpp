#include "support.hpp"

#include <ferry/dynamo/exporter.hpp>

#include <algorithm>

namespace ferry_test {
namespace {

ferry::Inputs copy_of(const ferry::Inputs& inputs) {
    ferry::Tree tree = inputs.tree();
    for (ferry::Leaf& leaf : tree.leaves)
        if (leaf.is_tensor() && leaf.tensor().defined()) {
            const at::Tensor& tensor = leaf.tensor();
            at::Tensor copy = at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options());
            copy.copy_(tensor);
            leaf = copy;
        }
    return ferry::tree::unflatten<ferry::Inputs>(tree);
}

std::string difference(const at::Tensor& expected, const at::Tensor& found, double tolerance) {
    if (expected.defined() != found.defined()) return expected.defined() ? "is undefined" : "is defined";
    if (!expected.defined()) return {};
    std::ostringstream text;
    if (expected.sizes() != found.sizes())
        text << "has sizes " << found.sizes() << " instead of " << expected.sizes();
    else if (expected.scalar_type() != found.scalar_type())
        text << "is of " << found.scalar_type() << " instead of " << expected.scalar_type();
    else if (expected.numel() > 0 && !(at::isFloatingType(expected.scalar_type()) || expected.is_complex()
                                           ? at::allclose(expected, found, tolerance, tolerance, /*equal_nan=*/true)
                                           : at::equal(expected, found)))
        text << "is off by up to " << (expected - found.to(expected.scalar_type())).abs().max();
    return text.str();
}

std::string difference(const ferry::Tree& expected, const ferry::Tree& found, double tolerance) {
    if (!(expected.spec == found.spec))
        return "nested otherwise: " + found.spec.str() + " instead of " + expected.spec.str();
    for (std::size_t i = 0; i < expected.leaves.size(); ++i) {
        const ferry::Leaf& a = expected.leaves[i];
        const ferry::Leaf& b = found.leaves[i];
        const std::string where = "leaf " + std::to_string(i) + " ";
        if (a.is_tensor() && !a.tensor().defined() && b.is_none()) continue;  // what a graph returns for it
        if (a.kind() != b.kind())
            return where + "is " + std::string(ferry::tree::detail::kind_name(b.kind())) + " instead of " +
                   std::string(ferry::tree::detail::kind_name(a.kind()));
        if (!a.is_tensor() && !(a == b)) return where + "is another constant";
        if (a.is_tensor())
            if (std::string text = difference(a.tensor(), b.tensor(), tolerance); !text.empty()) return where + text;
    }
    return {};
}

}  // namespace

ferry::ExportedProgram export_any(const AnyModel& model, const ferry::Inputs& inputs,
                                  const ferry::DynamoConfig& config) {
    const ferry::TreeSpec spec = inputs.spec();
    ferry::capture::RunModel run = [&](std::vector<ferry::Leaf> leaves) {
        return model.call(ferry::tree::unflatten<ferry::Inputs>(ferry::Tree(spec, std::move(leaves))));
    };
    return ferry::export_program(run, inputs, model.state, config, ferry::capture::rules_of<ferry::dynamo_pipeline>);
}

void check_same(const AnyModel& model, const ferry::ExportedProgram& program, const ferry::Inputs& inputs,
                double tolerance) {
    const at::NoGradGuard no_gradients;
    std::vector<std::pair<at::Tensor, at::Tensor>> before;
    for (const auto* named : {&model.state.parameters, &model.state.buffers})
        for (const auto& [name, tensor] : *named)
            if (tensor.defined()) before.emplace_back(tensor, tensor.clone());
    const auto put_back = [&] {
        for (auto& [tensor, value] : before) tensor.copy_(value);
    };
    ferry::ProgramModule module = program.module();

    const ferry::Inputs of_eager = copy_of(inputs);
    at::manual_seed(7);
    const ferry::Tree expected = model.call(of_eager);
    std::vector<at::Tensor> expected_buffers;
    for (const auto& [name, buffer] : model.state.buffers)
        expected_buffers.push_back(buffer.defined() ? buffer.clone() : buffer);
    put_back();

    const ferry::Inputs of_program = copy_of(inputs);
    at::manual_seed(7);
    const ferry::Tree found = module(of_program);
    CHECK_MESSAGE(difference(expected, found, tolerance) == "", "the outputs differ");
    CHECK_MESSAGE(difference(of_eager.tree(), of_program.tree(), tolerance) == "", "the inputs differ afterwards");
    for (std::size_t i = 0; i < expected_buffers.size(); ++i) {
        const std::string& name = model.state.buffers[i].first;
        if (!expected_buffers[i].defined()) continue;
        CHECK_MESSAGE(difference(expected_buffers[i], module.tensor(name), tolerance) == "",
                      "a buffer differs afterwards: ", name);
        CHECK_MESSAGE(
            difference(before[model.state.parameters.size() + i].second, model.state.buffers[i].second, 0) == "",
            "the program changed a buffer of the model: ", name);
    }
}

ferry::ExportedProgram check_any(const AnyModel& model, const ferry::Inputs& inputs, const ferry::DynamoConfig& config,
                                 const std::vector<ferry::Inputs>& others, double tolerance) {
    ferry::ExportedProgram program;
    try {
        program = export_any(model, inputs, config);
    } catch (const std::exception& error) {
        FAIL_CHECK("the capture failed: ", std::string(error.what()).substr(0, 1200));
        return program;
    }
    std::vector<const ferry::Inputs*> all{&inputs};
    for (const ferry::Inputs& each : others) all.push_back(&each);
    for (std::size_t i = 0; i < all.size(); ++i) {
        INFO("inputs ", i);
        try {
            check_same(model, program, *all[i], tolerance);
        } catch (const std::exception& error) {
            std::string notes;
            for (const std::string& note : program.notes) notes += "\n  " + note;
            FAIL_CHECK("the program failed: ", std::string(error.what()).substr(0, 1200), notes);
        }
    }
    return program;
}

std::string refusal_of(const AnyModel& model, const ferry::Inputs& inputs, const ferry::DynamoConfig& config) {
    try {
        static_cast<void>(export_any(model, inputs, config));
    } catch (const ferry::Error& error) {
        return error.what();
    } catch (const std::exception& error) {
        return std::string("not an error of Ferry's: ") + error.what();
    }
    return "no refusal";
}

}  // namespace ferry_test
