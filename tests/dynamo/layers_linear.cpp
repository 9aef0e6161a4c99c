// Linear maps, look-ups, containers, distances, losses.
#include "support.hpp"

#include <doctest/doctest.h>
#include <torch/torch.h>

#include <map>

using namespace ferry_test;
using ferry::inputs;
namespace nn = torch::nn;
using torch::Tensor;

TEST_CASE("linear maps") {
    torch::manual_seed(1);
    check_sizes("Linear", nn::Linear(5, 7), {3, 5}, {{6, 5}});
    check_sizes("Linear of more dimensions", nn::Linear(nn::LinearOptions(5, 7).bias(false)), {3, 4, 5}, {{6, 2, 5}});
    check_sizes("Linear of a vector", nn::Linear(5, 7), {5}, {});
    check_sizes("Identity", nn::Identity(), {3, 4}, {{5, 2}});
    check_sizes("Flatten", nn::Flatten(), {3, 4, 5}, {{6, 2, 7}});
    check_sizes("Flatten in between", nn::Flatten(nn::FlattenOptions().start_dim(1).end_dim(2)), {3, 4, 5, 2},
                {{6, 2, 7, 3}});
    check_sizes("Unflatten", nn::Unflatten(nn::UnflattenOptions(1, std::vector<int64_t>{2, 3})), {4, 6, 5},
                {{7, 6, 3}});
    nn::Bilinear bilinear(5, 6, 4);
    check_capture(bilinear, inputs("a", torch::randn({3, 5}), "b", torch::randn({3, 6})), dynamic(),
                  {inputs("a", torch::randn({7, 5}), "b", torch::randn({7, 6}))});
    nn::CosineSimilarity cosine(nn::CosineSimilarityOptions().dim(1));
    check_capture(cosine, inputs("a", torch::randn({3, 5}), "b", torch::randn({3, 5})), dynamic(),
                  {inputs("a", torch::randn({7, 4}), "b", torch::randn({7, 4}))});
    nn::PairwiseDistance distance;
    check_capture(distance, inputs("a", torch::randn({3, 5}), "b", torch::randn({3, 5})), dynamic(),
                  {inputs("a", torch::randn({7, 4}), "b", torch::randn({7, 4}))});
    check_capture([](Tensor a, Tensor b) { return at::cdist(a, b); },
                  inputs("a", torch::randn({3, 5}), "b", torch::randn({4, 5})), dynamic(),
                  {inputs("a", torch::randn({7, 6}), "b", torch::randn({2, 6}))});
}

TEST_CASE("embeddings") {
    torch::manual_seed(2);
    const auto ids = [](Sizes sizes) { return torch::randint(0, 10, sizes, torch::kLong); };
    nn::Embedding embedding(nn::EmbeddingOptions(10, 6).padding_idx(0));
    check_capture(embedding, inputs("ids", ids({3, 4})), dynamic(), {inputs("ids", ids({5, 7}))});
    nn::Embedding bounded(nn::EmbeddingOptions(10, 6).max_norm(1.0));
    check_capture([&](Tensor x) { return at::embedding(bounded->weight, x).sum(0); }, inputs("ids", ids({3})),
                  dynamic(), {inputs("ids", ids({5}))});
    nn::EmbeddingBag bag(nn::EmbeddingBagOptions(10, 6).mode(torch::kMean));
    check_capture(bag, inputs("ids", ids({3, 4})), dynamic(), {inputs("ids", ids({5, 7}))});
    nn::EmbeddingBag sum(nn::EmbeddingBagOptions(10, 6).mode(torch::kSum));
    check_capture(sum, inputs("ids", ids({8}), "offsets", torch::tensor({0, 2, 5})), dynamic(),
                  {inputs("ids", ids({11}), "offsets", torch::tensor({0, 1, 1, 6}))});
    nn::EmbeddingBag max(nn::EmbeddingBagOptions(10, 6).mode(torch::kMax));
    check_capture(max, inputs("ids", ids({3, 4})), dynamic(), {inputs("ids", ids({5, 7}))});
    check_capture([](Tensor x) { return nn::functional::one_hot(x, 10); }, inputs("ids", ids({3, 4})), dynamic(),
                  {inputs("ids", ids({5, 7}))});
}

TEST_CASE("containers") {
    torch::manual_seed(3);
    nn::Sequential sequential(nn::Linear(5, 8), nn::ReLU(), nn::LayerNorm(nn::LayerNormOptions({8})), nn::Linear(8, 2));
    check_sizes("Sequential", sequential, {3, 5}, {{6, 5}});

    struct Lists : nn::Module {
        nn::ModuleList layers;
        nn::ModuleDict heads;
        nn::ParameterList scales;
        nn::ParameterDict shifts;
        Lists() {
            register_module("layers", layers);
            register_module("heads", heads);
            register_module("scales", scales);
            register_module("shifts", shifts);
            for (int i = 0; i < 3; ++i) {
                layers->push_back(nn::Linear(5, 5));
                scales->append(torch::randn({5}));
            }
            heads->update(std::vector<std::pair<std::string, std::shared_ptr<nn::Module>>>{
                {"a", nn::Linear(5, 2).ptr()}, {"b", nn::Linear(5, 3).ptr()}});
            shifts->insert("a", torch::randn({2}));
        }
        std::map<std::string, Tensor> forward(Tensor x) {
            std::size_t at = 0;
            for (const auto& layer : *layers) x = torch::relu(layer->as<nn::Linear>()->forward(x)) * scales[at++];
            return {{"a", heads["a"]->as<nn::Linear>()->forward(x) + shifts["a"]},
                    {"b", heads["b"]->as<nn::Linear>()->forward(x)}};
        }
    } lists;
    const auto program = check_sizes("lists", lists, {3, 5}, {{6, 5}});
    CHECK(program.constants.empty());

    struct Any : nn::Module {
        nn::AnyModule any{nn::Linear(5, 4)};
        Any() { register_module("any", any.ptr()); }
        Tensor forward(Tensor x) { return any.forward(x); }
    } any;
    check_sizes("AnyModule", any, {3, 5}, {{6, 5}});
}

TEST_CASE("tied parameters stay one") {
    struct Tied : nn::Module {
        nn::Embedding embedding{10, 6};
        nn::Linear head{nn::LinearOptions(6, 10).bias(false)};
        Tied() {
            register_module("embedding", embedding);
            register_module("head", head);
            head->weight = head->register_parameter("tied", embedding->weight);
        }
        Tensor forward(Tensor ids) { return head(embedding(ids)); }
    } tied;
    const auto ids = [](Sizes sizes) { return torch::randint(0, 10, sizes, torch::kLong); };
    check_capture(tied, inputs("ids", ids({3, 4})), dynamic(), {inputs("ids", ids({5, 7}))});
}

TEST_CASE("losses") {
    torch::manual_seed(4);
    const auto pair = [](int64_t n, int64_t c) { return inputs("x", torch::rand({n, c}), "y", torch::rand({n, c})); };
    const auto check = [&](const char* name, auto loss) {
        INFO("loss: ", std::string(name));
        check_capture(loss, pair(3, 5), dynamic(), {pair(7, 4)});
    };
    check("MSELoss", nn::MSELoss());
    check("L1Loss", nn::L1Loss());
    check("SmoothL1Loss", nn::SmoothL1Loss());
    check("HuberLoss", nn::HuberLoss());
    check("KLDivLoss", nn::KLDivLoss());
    check("BCELoss", nn::BCELoss());
    check("BCEWithLogitsLoss", nn::BCEWithLogitsLoss());
    check("PoissonNLLLoss", nn::PoissonNLLLoss());
    check("SoftMarginLoss", nn::SoftMarginLoss());
    check("MultiLabelSoftMarginLoss", nn::MultiLabelSoftMarginLoss());
    const auto classes = [](int64_t n) {
        return inputs("x", torch::randn({n, 6}), "y", torch::randint(0, 6, {n}, torch::kLong));
    };
    nn::CrossEntropyLoss cross_entropy;
    check_capture(cross_entropy, classes(4), dynamic(), {classes(9)});
    nn::NLLLoss nll;
    check_capture(nll, classes(4), dynamic(), {classes(9)});
    nn::MultiMarginLoss margin;
    check_capture(margin, classes(4), dynamic(), {classes(9)});
    const auto three = [](int64_t n) {
        return inputs("a", torch::randn({n, 6}), "p", torch::randn({n, 6}), "n", torch::randn({n, 6}));
    };
    nn::TripletMarginLoss triplet;
    check_capture(triplet, three(4), dynamic(), {three(9)});
}
