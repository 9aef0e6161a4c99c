// Random small models, captured dynamic and compared with eager at random sizes. A failure prints the seed and the model:
// FERRY_RANDOM_SEED=<seed> runs that one alone.
#include "support.hpp"

#include <ferry/dynamo/exporter.hpp>

#include <doctest/doctest.h>
#include <torch/types.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using at::Tensor;
using namespace ferry;

namespace {

using Numbers = std::vector<std::int64_t>;
using Tensors = std::vector<Tensor>;

/// `n` are numbers from 0 to 11 that an op uses as it likes; dimensions are taken modulo the rank.
struct Op {
    const char* name;
    std::size_t arity;
    std::function<Tensor(const Tensors&, const Numbers& n)> call;
};

std::int64_t dim_of(const Tensor& x, std::int64_t number) { return x.dim() == 0 ? 0 : number % x.dim(); }

Tensor weight(std::int64_t rows, std::int64_t columns, std::int64_t number) {
    return (at::arange(rows * columns, at::kFloat).mul(0.37).add(static_cast<double>(number)).sin() * 0.5)
        .view({rows, columns});
}

/// A shape that broadcasts along one dimension.
Numbers along(const Tensor& x, std::int64_t dim) {
    Numbers shape(static_cast<std::size_t>(x.dim()), 1);
    shape.at(static_cast<std::size_t>(dim)) = -1;
    return shape;
}

const std::vector<Op>& grammar() {
    static const std::vector<Op> ops{
        {"relu", 1, [](auto& a, auto&) { return a[0].relu(); }},
        {"tanh", 1, [](auto& a, auto&) { return a[0].tanh(); }},
        {"gelu", 1, [](auto& a, auto&) { return at::gelu(a[0]); }},
        {"silu", 1, [](auto& a, auto&) { return at::silu(a[0]); }},
        {"one_minus", 1, [](auto& a, auto&) { return 1 - a[0]; }},
        {"scale", 1, [](auto& a, auto& n) { return a[0] * (0.25 * static_cast<double>(n[0])); }},
        {"sqrt_abs", 1, [](auto& a, auto&) { return a[0].abs().add(0.5).sqrt(); }},
        {"clamp", 1, [](auto& a, auto& n) { return a[0].clamp(-1.0, 0.2 * static_cast<double>(n[0])); }},
        {"add", 2, [](auto& a, auto&) { return a[0] + a[1]; }},
        {"mul", 2, [](auto& a, auto&) { return a[0] * a[1].tanh(); }},
        {"where", 2, [](auto& a, auto&) { return at::where(a[0] > a[1], a[0], a[1] * 0.5); }},
        {"maximum", 2, [](auto& a, auto&) { return at::maximum(a[0], a[1]); }},
        {"matmul", 2, [](auto& a, auto&) { return at::matmul(a[0], a[1].transpose(-1, -2)).tanh(); }},
        {"cat", 2, [](auto& a, auto& n) { return at::cat({a[0], a[1]}, dim_of(a[0], n[0])); }},
        {"stack", 2, [](auto& a, auto& n) { return at::stack({a[0], a[1]}, dim_of(a[0], n[0])); }},
        {"mean_keep", 1, [](auto& a, auto& n) { return a[0] - a[0].mean(dim_of(a[0], n[0]), true); }},
        {"sum", 1, [](auto& a, auto& n) { return a[0].sum(dim_of(a[0], n[0])); }},
        {"max_values", 1, [](auto& a, auto& n) { return std::get<0>(a[0].max(dim_of(a[0], n[0]))); }},
        {"softmax", 1, [](auto& a, auto& n) { return a[0].softmax(dim_of(a[0], n[0])); }},
        {"cumsum", 1, [](auto& a, auto& n) { return a[0].cumsum(dim_of(a[0], n[0])).tanh(); }},
        {"sort", 1, [](auto& a, auto& n) { return std::get<0>(a[0].sort(dim_of(a[0], n[0]))); }},
        {"gather_argsort", 1,
         [](auto& a, auto& n) { return a[0].gather(dim_of(a[0], n[0]), a[0].argsort(dim_of(a[0], n[0]))); }},
        {"flip", 1, [](auto& a, auto& n) { return a[0].flip({dim_of(a[0], n[0])}); }},
        {"roll", 1, [](auto& a, auto& n) { return a[0].roll(n[1] % 3, dim_of(a[0], n[0])); }},
        {"transpose", 1, [](auto& a, auto& n) { return a[0].transpose(dim_of(a[0], n[0]), dim_of(a[0], n[1])); }},
        {"unsqueeze", 1, [](auto& a, auto& n) { return a[0].unsqueeze(dim_of(a[0], n[0])); }},
        {"squeeze", 1, [](auto& a, auto& n) { return a[0].squeeze(dim_of(a[0], n[0])); }},
        {"flatten_two", 1,
         [](auto& a, auto& n) {
             const auto d = dim_of(a[0], n[0]) % std::max<std::int64_t>(a[0].dim() - 1, 1);
             return a[0].flatten(d, d + 1);
         }},
        {"reshape_rows", 1, [](auto& a, auto&) { return a[0].reshape({-1, a[0].size(-1)}); }},
        {"reshape_all", 1, [](auto& a, auto&) { return a[0].reshape({a[0].numel()}); }},
        {"split_last", 1,
         [](auto& a, auto&) {
             Numbers shape(a[0].sizes().begin(), a[0].sizes().end() - 1);
             shape.insert(shape.end(), {a[0].size(-1) / 2, 2});
             return a[0].contiguous().view(shape);
         }},
        {"drop_first", 1, [](auto& a, auto& n) { return a[0].slice(dim_of(a[0], n[0]), 1); }},
        {"first_half", 1,
         [](auto& a, auto& n) { return a[0].slice(dim_of(a[0], n[0]), 0, a[0].size(dim_of(a[0], n[0])) / 2); }},
        {"every_second", 1, [](auto& a, auto& n) { return a[0].slice(dim_of(a[0], n[0]), n[1] % 2, std::nullopt, 2); }},
        {"last", 1, [](auto& a, auto& n) { return a[0].select(dim_of(a[0], n[0]), -1); }},
        {"chunk", 1, [](auto& a, auto& n) { return a[0].chunk(2, dim_of(a[0], n[0]))[0]; }},
        {"pad", 1, [](auto& a, auto& n) { return at::constant_pad_nd(a[0], {n[0] % 3, n[1] % 3}, 0.5); }},
        {"repeat", 1,
         [](auto& a, auto& n) {
             Numbers times(static_cast<std::size_t>(a[0].dim()), 1);
             times.at(static_cast<std::size_t>(dim_of(a[0], n[0]))) = 2;
             return a[0].repeat(times);
         }},
        {"expand_mean", 1, [](auto& a, auto& n) { return a[0].mean(dim_of(a[0], n[0]), true).expand(a[0].sizes()); }},
        {"add_positions", 1,
         [](auto& a, auto& n) {
             const auto d = dim_of(a[0], n[0]);
             return a[0] + at::arange(a[0].size(d), at::kFloat).view(along(a[0], d)) * 0.1;
         }},
        {"divide_by_size", 1,
         [](auto& a, auto& n) {
             return a[0].sum(dim_of(a[0], n[0]), true) *
                    at::full({}, a[0].size(dim_of(a[0], n[0])), at::kFloat).reciprocal();
         }},
        {"tril", 1, [](auto& a, auto& n) { return a[0].tril(n[0] % 3 - 1); }},
        {"masked_fill", 1, [](auto& a, auto&) { return a[0].masked_fill(a[0] > 0.3, -0.7); }},
        {"index_reversed", 1,
         [](auto& a, auto& n) {
             const auto d = dim_of(a[0], n[0]);
             return a[0].index_select(d, at::arange(a[0].size(d) - 1, -1, -1, at::kLong));
         }},
        {"linear", 1, [](auto& a, auto& n) { return at::linear(a[0], weight(3 + n[0] % 3, a[0].size(-1), n[1])); }},
        {"linear_bias", 1,
         [](auto& a, auto& n) {
             return at::linear(a[0], weight(4, a[0].size(-1), n[1]), weight(1, 4, n[0]).view({4}));
         }},
        {"layer_norm", 1, [](auto& a, auto&) { return at::layer_norm(a[0], {a[0].size(-1)}); }},
        {"conv1d", 1,
         [](auto& a, auto& n) {
             return at::conv1d(a[0], weight(2, a[0].size(1) * 3, n[0]).view({2, a[0].size(1), 3}), {}, 1 + n[1] % 2, 1);
         }},
        {"avg_pool1d", 1, [](auto& a, auto&) { return at::avg_pool1d(a[0], 2); }},
        {"max_pool1d", 1, [](auto& a, auto&) { return at::max_pool1d(a[0], 3, 2, 1); }},
        {"attention", 1, [](auto& a, auto&) { return at::scaled_dot_product_attention(a[0], a[0].flip({-2}), a[0]); }},
        {"einsum", 1, [](auto& a, auto&) { return at::einsum("...i,...j->...ij", {a[0], a[0]}).sum(-1).tanh(); }},
        {"in_place", 1,
         [](auto& a, auto&) {
             Tensor y = a[0].clone();
             y.add_(0.5).mul_(a[0]);
             return y;
         }},
        {"write_row", 1,
         [](auto& a, auto& n) {
             Tensor y = a[0].clone();
             y.select(dim_of(a[0], n[0]), 0).mul_(2).sub_(1);
             return y;
         }},
        {"write_slice", 1,
         [](auto& a, auto& n) {
             Tensor y = a[0].clone();
             const auto d = dim_of(a[0], n[0]);
             y.slice(d, 1).copy_(a[0].slice(d, 0, -1));
             return y + y.transpose(0, d).sum();
         }},
        {"fill_new", 1,
         [](auto& a, auto& n) {
             const Tensor made = at::zeros({a[0].size(0), a[0].size(dim_of(a[0], n[0])) + 1});
             made.slice(1, 0, 1).fill_(1.5);
             return made;
         }},
        {"size_arithmetic", 1,
         [](auto& a, auto&) {
             return at::ones({(a[0].size(0) + 7) / 8 * 8, std::max<std::int64_t>(a[0].size(-1), 8)});
         }},
        {"to_double_and_back", 1, [](auto& a, auto&) { return a[0].to(at::kDouble).sin().to(at::kFloat); }},
        {"var", 1, [](auto& a, auto& n) { return a[0].var(dim_of(a[0], n[0]), false, true).add(0.1).rsqrt() * a[0]; }},
        {"any_mask", 1,
         [](auto& a, auto& n) { return (a[0] > 0).any(dim_of(a[0], n[0]), true).to(at::kFloat) + a[0]; }},
    };
    return ops;
}

struct Step {
    std::size_t op;
    std::vector<std::size_t> arguments;
    Numbers numbers;
};

struct RandomModel {
    std::vector<Step> steps;
    std::vector<std::size_t> outputs;

    [[nodiscard]] static Tensor call(const Step& step, const Tensors& values) {
        Tensors arguments;
        for (const std::size_t at : step.arguments) arguments.push_back(values[at]);
        return grammar()[step.op].call(arguments, step.numbers);
    }
    [[nodiscard]] std::vector<Tensor> operator()(Tensor x, Tensor y, Tensor ids) const {
        Tensors values = start(x, y, ids);
        for (const Step& step : steps) values.push_back(call(step, values));
        Tensors results;
        for (const std::size_t at : outputs) results.push_back(values[at]);
        return results;
    }
    [[nodiscard]] static Tensors start(const Tensor& x, const Tensor& y, const Tensor& ids) {
        return {x, y, at::embedding(weight(10, 4, 1), ids)};
    }
    [[nodiscard]] std::string text() const {
        std::ostringstream out;
        out << "v0 = x, v1 = y, v2 = embedding(ids)";
        for (std::size_t i = 0; i < steps.size(); ++i) {
            out << "\n  v" << i + 3 << " = " << grammar()[steps[i].op].name << "(";
            for (const std::size_t at : steps[i].arguments) out << "v" << at << ", ";
            out << "numbers " << at::IntArrayRef(steps[i].numbers) << ")";
        }
        out << "\n  return";
        for (const std::size_t at : outputs) out << " v" << at;
        return out.str();
    }
};

Inputs inputs_at(std::int64_t batch, std::int64_t length) {
    return inputs("x", at::randn({batch, length, 4}), "y", at::randn({batch, length}), "ids",
                  at::randint(0, 10, {batch, length}, at::kLong));
}

/// Takes steps that work at several sizes; what does not is thrown away, so that no rule of shapes has to be written down here.
RandomModel make_model(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
    std::vector<Tensors> pools;
    for (const auto& [batch, length] : {std::pair{5, 7}, {6, 12}, {13, 4}, {3, 9}}) {
        const Inputs given = inputs_at(batch, length);
        pools.push_back(RandomModel::start(given.get<Tensor>("x"), given.get<Tensor>("y"), given.get<Tensor>("ids")));
    }
    RandomModel model;
    const std::size_t wanted = 2 + below(9);
    for (int tries = 0; model.steps.size() < wanted && tries < 60; ++tries) {
        Step step{.op = below(grammar().size()), .arguments = {}, .numbers = {}};
        for (std::size_t i = 0; i < grammar()[step.op].arity; ++i) {
            const std::size_t size = pools[0].size();
            step.arguments.push_back(below(3) == 0 ? below(size) : size - 1 - below(std::min<std::size_t>(size, 3)));
        }
        for (int i = 0; i < 2; ++i) step.numbers.push_back(static_cast<std::int64_t>(below(12)));
        try {
            Tensors made;
            bool fits = true;
            for (const Tensors& pool : pools) {
                made.push_back(RandomModel::call(step, pool));
                fits = fits && made.back().dim() <= 5 && made.back().numel() > 0 && made.back().numel() < 20000 &&
                       made.back().isfinite().all().item<bool>();
            }
            if (!fits) continue;
            for (std::size_t i = 0; i < pools.size(); ++i) pools[i].push_back(made[i]);
        } catch (const std::exception&) {
            continue;
        }
        model.steps.push_back(std::move(step));
    }
    const std::size_t last = model.steps.size() + 2;
    model.outputs.push_back(last);
    if (below(3) == 0) model.outputs.push_back(below(last));
    return model;
}

/// What a program is right to refuse: there eager does something else.
constexpr const char* legitimate[] = {
    "at aten::chunk, it returns another number of tensors",  // of a size of one there is one chunk
};

/// Notes begin with the dimension that they are about, and so does what a program says of a size end with it.
bool is_legitimate(const Error& refusal, const std::vector<std::string>& notes) {
    return std::ranges::any_of(notes, [&](const std::string& note) {
        return refusal.message().ends_with("the range of " + note.substr(0, note.find('\'', 1) + 1)) &&
               std::ranges::any_of(legitimate, [&](const char* each) { return note.find(each) != std::string::npos; });
    });
}

enum class Outcome { same, refused, different };

Outcome try_model(std::uint64_t seed, std::string& report) {
    at::manual_seed(seed);
    const at::NoGradGuard no_gradients;
    const RandomModel model = make_model(seed);
    std::ostringstream said;
    said << "seed " << seed << "\n  " << model.text();
    const auto finish = [&](Outcome outcome, const std::string& what) {
        report = said.str() + "\n  " + what;
        return outcome;
    };
    ExportedProgram program;
    try {
        program = DynamoExporter{}.export_model(model, inputs_at(5, 7), {.dynamic = true});
    } catch (const std::exception& error) {
        return finish(Outcome::refused, "capture: " + std::string(error.what()).substr(0, 600));
    }
    ProgramModule module = program.module();
    std::mt19937_64 random(seed + 1);
    Outcome outcome = Outcome::same;
    for (int i = 0; i < 5; ++i) {
        const auto batch = static_cast<std::int64_t>(2 + random() % 19),
                   length = static_cast<std::int64_t>(2 + random() % 19);
        const Inputs given = inputs_at(batch, length);
        std::vector<Tensor> expected;
        try {
            expected = model(given.get<Tensor>("x"), given.get<Tensor>("y"), given.get<Tensor>("ids"));
        } catch (const std::exception&) {
            continue;  // eager has no answer there
        }
        const std::string sizes = "batch " + std::to_string(batch) + ", length " + std::to_string(length) + ": ";
        std::vector<Leaf> found;
        try {
            found = module(given).leaves;
        } catch (const Error& error) {
            if (is_legitimate(error, program.notes)) continue;
            std::string why;
            for (const std::string& note : program.notes) why += "\n  note: " + note;
            outcome = finish(Outcome::refused, sizes + error.what() + why);
            continue;
        } catch (const std::exception& error) {
            return finish(Outcome::different, sizes + "the program fails: " + std::string(error.what()).substr(0, 400));
        }
        for (std::size_t k = 0; k < expected.size(); ++k) {
            const Tensor& ours = found.at(k).tensor();
            if (ours.sizes() != expected[k].sizes()) return finish(Outcome::different, sizes + "other sizes");
            if (!at::allclose(ours, expected[k], 1e-5, 1e-5, true))
                return finish(Outcome::different,
                              sizes + "off by " + std::to_string((ours - expected[k]).abs().max().item<double>()));
        }
    }
    return outcome;
}

}  // namespace

TEST_CASE("random models do in a program what they do in eager") {
    const char* one = std::getenv("FERRY_RANDOM_SEED");
    const std::uint64_t first = one != nullptr ? std::strtoull(one, nullptr, 10) : 1;
    const char* many = std::getenv("FERRY_RANDOM_MODELS");
    const std::uint64_t count = one != nullptr ? 1 : many != nullptr ? std::strtoull(many, nullptr, 10) : 300;
    std::map<Outcome, std::uint64_t> outcomes;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        std::string report;
        const Outcome outcome = try_model(seed, report);
        ++outcomes[outcome];
        CHECK_MESSAGE(outcome == Outcome::same, report);
    }
    MESSAGE(outcomes[Outcome::same], " of ", count, " models are the same");
}
