// The same calls, observed by Ferry and by torch.onnx.InputObserver.
#include <ferry/core/error.hpp>
#include <ferry/files/json.hpp>
#include <ferry/generation/cache.hpp>
#include <ferry/observe/observed_model.hpp>
#include <ferry/observe/observer.hpp>
#include <ferry/safetensors/read.hpp>
#include <ferry/tree/flatten.hpp>
#include <ferry/tree/unflatten.hpp>

#include <ATen/ops/equal.h>

#include "../python_peer.hpp"

#include <doctest/doctest.h>

#include <cctype>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace observer_peer_tests {

using ferry::Inputs;
using ferry::Leaf;
using ferry::Tree;
using Json = ferry::files::JsonValue;

/// The values of a case, as peer_observer.py describes them.
class Reader {
public:
    explicit Reader(const std::filesystem::path& folder)
        : contents_(ferry::safetensors::load(folder / "tensors.safetensors")) {}

    [[nodiscard]] Tree tree(const Json& value) const {
        const auto& [kind, inside] = value.members()[0];
        if (kind == "tensor") return Leaf(contents_.find(std::string(inside.text()))->clone());
        if (kind == "none") return Leaf();
        if (kind == "constant") return constant(inside);
        if (kind == "list") return Tree::list(trees(inside));
        if (kind == "tuple") return Tree::tuple(trees(inside));
        if (kind == "cache") return cache(inside);
        std::vector<Inputs::Item> items;
        for (const Json& pair : inside.items())
            items.emplace_back(std::string(pair.items()[0].text()), tree(pair.items()[1]));
        return Inputs(std::move(items)).tree();
    }
    [[nodiscard]] Inputs inputs(const Json& object) const {
        Inputs made;
        for (const auto& [name, value] : object.members()) made.set(name, tree(value));
        return made;
    }

private:
    [[nodiscard]] static Tree constant(const Json& value) {
        switch (value.kind()) {
            case Json::Kind::boolean: return Leaf(value.boolean());
            case Json::Kind::integer: return Leaf(value.integer());
            case Json::Kind::real: return Leaf(value.real());
            default: return Leaf(value.text());
        }
    }
    [[nodiscard]] std::vector<Tree> trees(const Json& list) const {
        std::vector<Tree> made;
        for (const Json& each : list.items()) made.push_back(tree(each));
        return made;
    }
    [[nodiscard]] Tree cache(const Json& leaves) const {
        ferry::DynamicCache made;
        const std::vector<Tree> all = trees(leaves);
        for (std::size_t i = 0; i < all.size(); ++i)
            (i < all.size() / 2 ? made.keys : made.values).push_back(all[i].leaves[0].tensor());
        return ferry::tree::flatten(made);
    }

    ferry::safetensors::Contents contents_;
};

struct Replayed {
    ferry::Signature given;
    [[nodiscard]] ferry::Signature signature() const { return given; }
    [[nodiscard]] Tree operator()(const Inputs& inputs) const { return inputs.at("x"); }
};

bool same(const Leaf& a, const Leaf& b) {
    if (!a.is_tensor() || !b.is_tensor()) return a == b;
    return a.tensor().scalar_type() == b.tensor().scalar_type() && at::equal(a.tensor(), b.tensor());
}

void check_arguments(const Inputs& found, const Json& expected, const Reader& reader) {
    REQUIRE(found.size() == expected.items().size());
    std::size_t at = 0;
    for (const auto& [name, value] : found) {
        const auto pair = expected.items()[at++].items();
        CHECK(name == pair[0].text());
        const Tree wanted = reader.tree(pair[1]);
        REQUIRE(value.same_structure(wanted));
        for (std::size_t i = 0; i < wanted.leaves.size(); ++i) CHECK(same(value.leaves[i], wanted.leaves[i]));
    }
}

/// Dimensions of each leaf under their input's name, in the order of leaves.
void check_shapes(const ferry::DynamicShapes& found, const Json& expected, const Inputs& arguments) {
    std::size_t count = 0;
    for (const auto& [name, value] : arguments) {
        const Json* dims = expected.find(name);
        if (dims == nullptr) continue;
        const std::vector<std::string> paths = value.spec.leaf_paths();
        REQUIRE(dims->items().size() == paths.size());
        for (std::size_t i = 0; i < paths.size(); ++i) {
            const auto of_leaf = found.find(paths[i].empty() ? name : name + "." + paths[i]);
            REQUIRE(of_leaf != found.end());
            std::vector<std::int64_t> places, wanted;
            for (const auto& [place, dim] : of_leaf->second) {
                places.push_back(place);
                CHECK(dim.kind() == ferry::Dim::DYNAMIC);
            }
            for (const Json& each : dims->items()[i].items()) wanted.push_back(each.integer());
            CHECK(places == wanted);
            ++count;
        }
    }
    CHECK(count == found.size());
}

void check_error(std::string message, const Json& phrases) {
    for (char& each : message) each = static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
    CAPTURE(message);
    for (const Json& phrase : phrases.items()) CHECK(message.find(phrase.text()) != std::string::npos);
}

void check_case(const Json& described, const Reader& reader) {
    ferry::InputObserver observer(reader.inputs(*described.find("missing")));
    Replayed model;
    for (const Json& name : described.find("names")->items()) model.given.names.emplace_back(name.text());
    for (const auto& [name, value] : reader.inputs(*described.find("defaults")))
        model.given.defaults.emplace(name, value.leaves[0]);
    const Json* error = described.find("error");
    try {
        for (const Json& scope : described.find("scopes")->items()) {
            auto observed =
                observer(model, {.store_n_calls = static_cast<std::size_t>(scope.find("store")->integer())});
            for (const Json& call : scope.find("calls")->items())
                static_cast<void>(observed(ferry::tree::unflatten<Inputs>(reader.tree(call))));
        }
        if (error == nullptr)
            CHECK(static_cast<std::int64_t>(observer.num_calls()) == described.find("stored")->integer());
        ferry::BatchedInputs batched;
        if (const Json& chosen = *described.find("batched"); chosen.is(Json::Kind::boolean))
            batched.all = chosen.boolean();
        else
            for (const Json& name : chosen.items()) batched.names.emplace(name.text());
        const ferry::DynamicShapes shapes = observer.infer_dynamic_shapes(batched);
        const Inputs arguments = observer.infer_arguments();
        REQUIRE(error == nullptr);
        check_shapes(shapes, *described.find("shapes"), arguments);
        const auto expected = described.find("arguments")->items();
        check_arguments(arguments, expected[0], reader);
        for (std::size_t call = 0; call < observer.num_calls(); ++call)
            check_arguments(observer.infer_arguments(call), expected[call + 1], reader);
    } catch (const ferry::Error& caught) {
        CAPTURE(caught.what());
        REQUIRE(error != nullptr);
        check_error(caught.what(), *error);
    }
}

}  // namespace observer_peer_tests

TEST_CASE("calls that are observed give what torch.onnx.InputObserver makes of them") {
    using namespace observer_peer_tests;
    const ferry_test::Folder folder;
    REQUIRE(ferry_test::run_python(FERRY_PYTHON, FERRY_PEER_OBSERVER, {folder.path.string(), "60"}));
    std::ifstream file(folder / "cases.json");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const ferry::files::JsonDocument document(text);
    const Reader reader(folder.path);
    REQUIRE(document.root().items().size() == 61);
    std::size_t seed = 0;
    for (const Json& each : document.root().items()) {
        CAPTURE(seed);
        const std::string kind(each.find("kind")->text());
        CAPTURE(kind);
        check_case(each, reader);
        ++seed;
    }
}
