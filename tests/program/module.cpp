#include <ferry/program/module.hpp>

#include <ferry/dynamo/exporter.hpp>

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <map>
#include <optional>
#include <tuple>

#include <doctest/doctest.h>

using namespace ferry;
using at::Tensor;

namespace {

std::string failure_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

bool says(const std::string& text, std::string_view part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
    return true;
}

const auto scaled_sum = [](Tensor x, Tensor y, double factor, std::optional<Tensor> bias) {
    const Tensor sum = (x + y) * factor;
    return std::tuple{bias ? sum + *bias : sum, x.sum(-1)};
};

ExportedProgram program_of_sum() {
    return DynamoExporter{}.export_model(
        scaled_sum, inputs("x", at::randn({3, 4}), "y", at::randn({3, 4}), "factor", 2.0), {.dynamic = true});
}

}  // namespace

TEST_CASE("a module is called with trees, with C++ values, or with flat tensors") {
    at::manual_seed(1);
    ProgramModule module = program_of_sum().module();  // of a temporary
    const Tensor x = at::randn({5, 7}), y = at::randn({5, 7});
    const auto [sum, rows] = scaled_sum(x, y, 2.0, std::nullopt);

    const Tree by_name = module(inputs("x", x, "y", y, "factor", 2.0));
    CHECK(at::equal(by_name.leaves.at(0).tensor(), sum));
    CHECK(at::equal(by_name.leaves.at(1).tensor(), rows));

    const Tree by_value = module(x, y, 2.0);
    CHECK(at::equal(by_value.leaves.at(0).tensor(), sum));

    const Tree flat = module(std::vector<Tensor>{x, y});
    CHECK(at::equal(flat.leaves.at(0).tensor(), sum));

    const auto [typed_sum, typed_rows] = module.call<std::tuple<Tensor, Tensor>>(x, y, 2.0);
    CHECK(at::equal(typed_sum, sum));
    CHECK(at::equal(typed_rows, rows));
}

TEST_CASE("one input that is a list takes a vector as that list") {
    const auto join = [](std::vector<Tensor> parts) { return at::cat(parts, 0); };
    ProgramModule module =
        DynamoExporter{}
            .export_model(join, inputs("parts", std::vector{at::ones({2, 3}), at::ones({4, 3})}), {.dynamic = true})
            .module();
    const Tensor a = at::randn({3, 5}), b = at::randn({6, 5});
    CHECK(at::equal(module.call<Tensor>(std::vector{a, b}), at::cat({a, b}, 0)));
}

TEST_CASE("what the program was not made for is refused, with the input's name") {
    const ExportedProgram program = program_of_sum();
    ProgramModule module = program.module();
    const Tensor x = at::randn({5, 7});
    says(failure_of([&] { module(x, at::randn({5, 8}), 2.0); }), "dimension 1 must be s1 = 7, this one is 8 (at y)");
    ProgramModule ranged = DynamoExporter{}
                               .export_model([](Tensor only) { return only * 2; }, inputs("x", x),
                                             {.dynamic_shapes = {{"x", {{0, ferry::Dim{"n", 2, 8}}}}}})
                               .module();
    says(failure_of([&] { ranged(at::randn({1, 7})); }), "dimension 0 is 1, outside VR[2, 8], the range of 'n' (at x)");
    says(failure_of([&] { module(x, x, 3.0); }), "the export fixed this input to 2.0, it is now 3.0 (at factor)");
    says(failure_of([&] { module(x, x); }), "the export fixed this input to 2.0, it is now None");
    says(failure_of([&] { module(x, x.to(at::kDouble), 2.0); }),
         "a tensor of float32 is expected, this one is float64 (at y)");
    says(failure_of([&] { module(x, at::randn({7}), 2.0); }),
         "a tensor of 2 dimensions is expected, this one has 1 (at y)");
    says(failure_of([&] { module(x, 1.0, 2.0); }), "a tensor is expected, not 1.0 (at y)");
    says(failure_of([&] { module(x, x, 2.0, x, x); }), "the program takes 3 inputs, 5 were given");
    says(failure_of([&] { module(std::vector<Tensor>{x}); }), "no tensor is given for it (at y)");
    says(failure_of([&] { module(std::vector<Tensor>{x, x, x}); }), "fewer tensors than the 3");
    says(failure_of([&] { module(std::vector<Tensor>{x, x}, x, 2.0); }),
         "an input is not nested like that of the export (at x)");
    says(failure_of([&] { module(inputs("x", x)); }), "missing: y, factor");
}

TEST_CASE("a program may be copied and moved; modules made before go on as they were") {
    ExportedProgram program = program_of_sum();
    ProgramModule before = program.module();
    ExportedProgram copy = program;
    const std::size_t nodes = program.graph.num_nodes();
    ExportedProgram moved = std::move(program);
    CHECK(moved.graph.num_nodes() == nodes);
    CHECK(copy.graph.num_nodes() == nodes);
    CHECK(program.graph.num_nodes() == 0);  // NOLINT(bugprone-use-after-move): a moved-from graph is an empty one
    CHECK(program.graph.first() == nullptr);  // NOLINT(bugprone-use-after-move)
    for (const Node& node : copy.graph.nodes())
        for (const Node& other : moved.graph.nodes()) REQUIRE(&node != &other);
    copy.graph.set_outputs({});
    copy.graph.erase(*copy.graph.last());
    CHECK(moved.graph.num_nodes() == nodes);
    program = std::move(moved);
    const Tensor x = at::randn({2, 9});
    ProgramModule twin = before;
    for (ProgramModule* module : {&before, &twin})
        CHECK(at::equal((*module)(x, x, 2.0).leaves[0].tensor(), (x + x) * 2.0));
    CHECK(at::equal(program.module()(x, x, 2.0).leaves[0].tensor(), (x + x) * 2.0));
}

TEST_CASE("inputs that forward writes to are written to, after all outputs are computed") {
    const auto accumulate = [](Tensor total, Tensor x) {
        const Tensor before = total * 2;
        total.add_(x);
        return before + total;
    };
    ProgramModule module =
        DynamoExporter{}
            .export_model(accumulate, inputs("total", at::zeros({3}), "x", at::ones({3})), {.dynamic = true})
            .module();
    const Tensor mine = at::randn({5}), theirs = mine.clone(), x = at::randn({5});
    const Tensor expected = accumulate(theirs, x);
    CHECK(at::allclose(module.call<Tensor>(mine, x), expected));
    CHECK(at::equal(mine, theirs));
}

namespace {

/// Counts the bytes that CPU tensors of this thread hold.
struct Meter final : c10::MemoryReportingInfoBase {
    std::int64_t now = 0, most = 0;
    void reportMemoryUsage(void*, std::int64_t size, std::size_t, std::size_t, c10::Device) override {
        now += size;
        most = std::max(most, now);
    }
    bool memoryProfilingEnabled() const override { return true; }
};

}  // namespace

TEST_CASE("a run frees each value at its last use") {
    const auto chain = [](Tensor x) {
        for (int i = 0; i < 20; ++i) x = (x + 1) * 2;
        return x;
    };
    ProgramModule module =
        DynamoExporter{}.export_model(chain, inputs("x", at::zeros({16})), {.dynamic = true}).module();
    const at::NoGradGuard no_gradients;
    const Tensor x = at::ones({1 << 16});
    const auto meter = std::make_shared<Meter>();
    {
        const c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, meter);
        module(x);
    }
    CHECK(meter->most >= 2 * (1 << 18));
    CHECK(meter->most <= 3 * (1 << 18));  // 40 values are computed
}
