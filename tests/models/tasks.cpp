// What models are exported for: tasks found by name, the user's own among them, and what a checkpoint's configs tell a runner.
#include <ferry/dynamo/exporter.hpp>
#include <ferry/generation/tasks/cached_decoder.hpp>
#include <ferry/generation/tasks/metadata.hpp>
#include <ferry/models.hpp>
#include <ferry/tree/context_json.hpp>

#include <torch/torch.h>

#include "../python_peer.hpp"
#include "checkpoints.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace task_tests {

using namespace ferry::generation;

class Doubled : public torch::nn::Module {
public:
    static constexpr auto forward_parameters = ferry::names("x");
    at::Tensor forward(const at::Tensor& x) { return x * 2; }
};

struct doubling {
    static constexpr auto names = ferry::names("doubling", "twice");
    static constexpr std::string_view needs = "models that double";

    static bool fits(const TaskSource& source) { return source.architecture == "Doubled"; }
    static ferry::Inputs sample(const TaskSource&) { return ferry::inputs("x", at::ones({2})); }
    static TaskProgram program(const TaskSource& source, const TaskOptions&) {
        return {{{"forward", source.model, sample(source), {{"x", {{0, ferry::Dim("n", 1, 9)}}}}}},
                {{"get_factor", 2}}};
    }
};

using Tasks = TaskFinder<ferry::concat_t<all_tasks, ferry::type_list<doubling>>>;

TaskSource source_of(const char* config, const char* generation = "null", const char* processor = "null") {
    return {.model = std::make_shared<Doubled>(),
            .architecture = "Doubled",
            .config = ferry::tree::from_json(config),
            .generation_config = ferry::tree::from_json(generation),
            .processor_config = ferry::tree::from_json(processor)};
}

std::string told(const TaskMetadata& metadata) {
    std::string made;
    for (const auto& [name, value] : metadata) made += name + " " + ferry::tree::to_json(value) + "; ";
    return made;
}

TEST_CASE("a task of the user's own stands beside Ferry's") {
    const TaskSource source = source_of("{}");
    for (const char* name : {"doubling", "twice"}) {
        const auto methods =
            export_task(ferry::DynamoExporter{}, Tasks::find(name, source).program(source, {}), ferry::DynamoConfig{});
        REQUIRE(methods.size() == 1);
        CHECK(methods[0].first == "forward");
        CHECK(at::equal(methods[0].second.module()(ferry::inputs("x", at::ones({5}))).leaves.at(0).tensor(),
                        at::full({5}, 2.0F)));
    }
    const auto says = [&](const auto& run, const std::string& wanted) {
        const std::string message = ferry_test::message_of(run);
        CAPTURE(message);
        CHECK(message.find(wanted) != std::string::npos);
    };
    says([] { return Tasks::find("tripling").needs; }, "The task 'tripling' isn't registered");
    says([] { return Tasks::find("tripling").needs; }, "image-classification, fill-mask, doubling, twice");
    says([&] { return Tasks::find("fill-mask", source).needs; },
         "for models for the tokens behind masks, and Doubled is none");
}

TEST_CASE("a runner is told what the configs say, under the names that it asks for") {
    const TaskSource source = source_of(
        R"({"bos_token_id": null, "eos_token_id": 2, "sliding_window": null,
            "text_config": {"bos_token_id": 1, "hidden_size": 32, "num_attention_heads": 4, "num_hidden_layers": 3, "vocab_size": 97}})",
        R"({"eos_token_id": [7, 8]})");
    CHECK(told(cache_metadata(source, 64, true)) ==
          "get_dtype 6; get_bos_id 1; get_eos_id [7, 8]; get_head_dim 8; get_n_layers 3; get_vocab_size 97; "
          "get_max_batch_size 1; get_max_seq_len 64; use_kv_cache true; use_sdpa_with_kv_cache false; "
          "enable_dynamic_shape true; ");
    TaskMetadata some{{"size", 1}};
    add_all(some, ferry::tree::from_json(R"({"size": 2, "mean": [0.5], "none": null})"));
    CHECK(told(some) == "size 1; mean [0.5]; ");
    const ferry::GenerationOptions options = generation_options(source.config, source.generation_config);
    CHECK((options.eos_token_ids == std::vector<std::int64_t>{7, 8}));
    CHECK(options.pad_token_id == 7);
    CHECK(room_for({}, 40, 2048) == 40);
    CHECK(room_for({}, {}, 2048) == 2048);
    CHECK(ferry_test::message_of([] { return room_for(41, 40, 2048); }).find("40 positions") != std::string::npos);
}

TEST_CASE("a decoder that keeps its cache begins again where the first place is 0") {
    const std::filesystem::path folder = ferry_test::checkpoints("language_models") / "llama";
    const ferry::AnyModel model = ferry::AutoModel<>::from_pretrained(folder);
    CausalDecoder decoder(model, 40);
    CHECK(decoder.named_buffers(false).contains("key_cache_0"));
    CHECK(decoder.named_buffers(false).contains("cumulative_length"));
    const at::Tensor wanted = ferry_test::Expected(folder)["tokens"].slice(0, 0, 1);
    const at::NoGradGuard no_grad;
    const auto logits = [&](std::int64_t first, std::int64_t end) {
        return decoder.forward(wanted.slice(1, first, end), at::arange(first, end, at::kLong));
    };
    const std::int64_t all = wanted.size(1);
    const at::Tensor whole = logits(0, all), begun = logits(0, 9), rest = logits(9, all);
    CHECK(at::allclose(at::cat({begun, rest}, 1), whole, 1e-5, 1e-5));
    // transformers went on with the likeliest token each time.
    const std::int64_t made = 20;
    CHECK(at::equal(whole.argmax(-1).slice(1, all - made - 1, all - 1), wanted.slice(1, all - made)));
}

}  // namespace task_tests
