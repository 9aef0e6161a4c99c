// The C++ half of peer_treespec.py, which runs this one case: each line of FERRY_PEER_IN is a spec that Python wrote, each
// line of FERRY_PEER_OUT says what Ferry makes of it; then come specs that Ferry makes from C++ values.

#include "types.hpp"

#include <ferry/tree/flatten.hpp>
#include <ferry/tree/inputs.hpp>
#include <ferry/tree/spec_json.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using ferry::tree::Context;

std::string line(const ferry::TreeSpec& spec, const std::string& label) {
    std::vector<Context> paths;
    for (const std::string& path : spec.leaf_paths()) paths.emplace_back(path);
    return to_json(Context::dict({"label", "dumps", "str", "num_leaves", "num_nodes", "paths"},
                                 {label, ferry::tree::treespec_dumps(spec), spec.str(), spec.num_leaves(),
                                  spec.num_nodes(), Context::list(paths)}));
}

}  // namespace

TEST_CASE("peer: specs to and from Python" * doctest::skip()) {
    const char* const in = std::getenv("FERRY_PEER_IN");
    const char* const out = std::getenv("FERRY_PEER_OUT");
    REQUIRE(in != nullptr);
    REQUIRE(out != nullptr);
    std::ifstream specs(in);
    std::ofstream answers(out);
    for (std::string text; std::getline(specs, text);)
        answers << line(ferry::tree::treespec_loads(text), "parsed") << '\n';

    const at::Tensor t;
    const auto made = [&](const std::string& label, const auto& value) {
        answers << line(ferry::tree::flatten<ferry::pytrees<my::kv_cache_node>>(value).spec, label) << '\n';
    };
    made("leaf", 1);
    made("struct", my::model_inputs{t, {}, {{t, t}, {t, t}}});
    made("vector", std::vector<std::vector<int>>{{1}, {}});
    made("array", std::array<int, 2>{1, 2});
    made("tuple", std::tuple(1, std::pair(2.5, true), std::tuple()));
    made("map", std::map<std::string, int>{{"b", 1}, {"a\"'\n\xc3\xa9", 2}});
    made("int map", std::map<int, std::optional<int>>{{7, 1}, {-3, {}}});
    made("inputs", ferry::inputs("input_ids", t, "nested", ferry::tree::list_of(1, ferry::tree::dict_of("k", "v"))));
    made("registered", std::vector<my::kv_cache>{{{t}, {t, t}, 128, 0.5, {{3, "three"}}}});
}
