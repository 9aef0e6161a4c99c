#include "support.hpp"

#include <ferry/dynamo/exporter.hpp>

#include <algorithm>

template <>
struct ferry::model_adapter<const ferry_test::AnyModel> {
    using Model = const ferry_test::AnyModel;

    template <class Pytrees>
    [[nodiscard]] static Tree call(Model& model, const Inputs& inputs) {
        return model.call(inputs);
    }
    [[nodiscard]] static ModelState state(Model& model) { return model.state; }
    [[nodiscard]] static auto guard(Model& model) { return model.guard(); }
    [[nodiscard]] static std::function<std::string()> running_module(Model&) { return {}; }
};

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

/// Two units in the last place of a number near one, and more where sums may be taken in another order.
double tolerance_of(at::ScalarType type) {
    switch (type) {
        case at::kDouble:
        case at::kComplexDouble: return 1e-10;
        case at::kHalf: return 2e-3;
        case at::kBFloat16: return 1.6e-2;
        default: return 1e-5;
    }
}

bool same_values(const at::Tensor& expected, const at::Tensor& found) {
    if (expected.numel() == 0) return true;
    if (!expected.is_floating_point() && !expected.is_complex()) return at::equal(expected, found);
    const double tolerance = tolerance_of(expected.scalar_type());
    return at::allclose(expected, found, tolerance, tolerance, /*equal_nan=*/true);
}

std::string difference(const at::Tensor& expected, const at::Tensor& found) {
    if (expected.defined() != found.defined()) return expected.defined() ? "is undefined" : "is defined";
    if (!expected.defined()) return {};
    std::ostringstream text;
    if (expected.sizes() != found.sizes())
        text << "has sizes " << found.sizes() << " instead of " << expected.sizes();
    else if (expected.scalar_type() != found.scalar_type())
        text << "is of " << found.scalar_type() << " instead of " << expected.scalar_type();
    else if (expected.device() != found.device())
        text << "is on " << found.device() << " instead of " << expected.device();
    else if (!same_values(expected, found))
        text << "is off in " << (expected != found).sum().item<std::int64_t>() << " of " << expected.numel()
             << " numbers, by up to "
             << (expected.to(at::kComplexDouble) - found.to(at::kComplexDouble)).abs().max().item<double>();
    return text.str();
}

std::string difference(const ferry::Tree& expected, const ferry::Tree& found) {
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
            if (std::string text = difference(a.tensor(), b.tensor()); !text.empty()) return where + text;
    }
    return {};
}

}  // namespace

ferry::ExportedProgram export_any(const AnyModel& model, const ferry::Inputs& inputs,
                                  const ferry::DynamoConfig& config) {
    return ferry::DynamoExporter{}.export_model(model, inputs, config);
}

void check_same(const AnyModel& model, const ferry::ExportedProgram& program, const ferry::Inputs& inputs) {
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
    CHECK_MESSAGE(difference(expected, found) == "", "the outputs differ");
    CHECK_MESSAGE(difference(of_eager.tree(), of_program.tree()) == "", "the inputs differ afterwards");
    for (std::size_t i = 0; i < expected_buffers.size(); ++i) {
        const std::string& name = model.state.buffers[i].first;
        if (!expected_buffers[i].defined()) continue;
        CHECK_MESSAGE(difference(expected_buffers[i], module.tensor(name)) == "",
                      "a buffer differs afterwards: ", name);
        CHECK_MESSAGE(at::equal(before[model.state.parameters.size() + i].second, model.state.buffers[i].second),
                      "the program changed a buffer of the model: ", name);
    }
}

ferry::ExportedProgram check_any(const AnyModel& model, const ferry::Inputs& inputs, const ferry::DynamoConfig& config,
                                 const std::vector<ferry::Inputs>& others) {
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
            check_same(model, program, *all[i]);
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
