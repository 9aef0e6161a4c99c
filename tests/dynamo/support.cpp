#include "support.hpp"

#include "compare.hpp"
#include "in_onnx_runtime.hpp"

#include <ferry/dynamo/exporter.hpp>

#include <doctest/doctest.h>

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

ferry::ExportedProgram export_any(const AnyModel& model, const ferry::Inputs& inputs,
                                  const ferry::DynamoConfig& config) {
    return ferry::DynamoExporter{}.export_model(model, inputs, config);
}

void check_same(const AnyModel& model, const ferry::ExportedProgram& program, const ferry::Inputs& inputs) {
    const at::NoGradGuard no_gradients;
    const BufferKeeper keeper(model.state);
    ferry::ProgramModule module = program.module();

    const ferry::Inputs of_eager = copy_of(inputs);
    at::manual_seed(7);
    const ferry::Tree expected = model.call(of_eager);
    std::vector<at::Tensor> expected_buffers;
    for (const auto& [name, buffer] : model.state.buffers)
        expected_buffers.push_back(buffer.defined() ? buffer.clone() : buffer);
    keeper.put_back();

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
        CHECK_MESSAGE(
            at::equal(keeper.before()[model.state.parameters.size() + i].second, model.state.buffers[i].second),
            "the program changed a buffer of the model: ", name);
    }
}

namespace {

/// The exporter's own check, at sizes and with values of its choice. Some models do not take those.
void check_strict(const AnyModel& model, const ferry::Inputs& inputs, ferry::DynamoConfig config) {
    config.strict = true;
    try {
        static_cast<void>(export_any(model, inputs, config));
    } catch (const ferry::Error& error) {
        if (!error.message().starts_with("the model itself fails") && !error.message().starts_with("strict needs"))
            FAIL_CHECK("strict: ", error.message());
    }
}

}  // namespace

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
    check_strict(model, inputs, config);
    check_in_onnx_runtime(model, program, all);
    if (config.dynamic || !config.dynamic_shapes.empty()) {
        INFO("static");
        check_in_onnx_runtime(model, export_any(model, inputs, {}), {&inputs});
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
