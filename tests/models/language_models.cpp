// Language models from checkpoints of transformers: the same logits, the same tokens, and exports that give them too.
#include <ferry/models.hpp>

#include <ferry/dynamo/exporter.hpp>
#include <ferry/executorch/exporter.hpp>
#include <ferry/onnx/exporter.hpp>
#include <ferry/program/module.hpp>
#include <ferry/safetensors/read.hpp>
#include <ferry/verify/executorch_runtime.hpp>
#include <ferry/verify/onnx_runtime.hpp>

#include <torch/torch.h>

#include "../python_peer.hpp"

#ifndef DOCTEST_LIBRARY_INCLUDED
#include <doctest/doctest.h>
#endif

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

const std::filesystem::path& checkpoints() {
    static const ferry_test::Folder folder;
    static const bool made = ferry_test::run_python(FERRY_PYTHON, FERRY_MAKE_CHECKPOINTS, {folder.path.string()});
    REQUIRE(made);
    return folder.path;
}

/// What transformers has computed.
struct Expected {
    explicit Expected(const std::filesystem::path& folder)
        : contents(ferry::safetensors::load(folder / "expected.safetensors")) {}
    [[nodiscard]] at::Tensor operator[](const char* name) const { return contents.find(name)->clone(); }
    ferry::safetensors::Contents contents;
};

std::string message_of(const std::filesystem::path& folder) {
    try {
        static_cast<void>(ferry::AutoModel<>::from_pretrained(folder));
    } catch (const ferry::Error& error) {
        return error.what();
    }
    return "no error";
}

/// A copy of a checkpoint whose config.json has one text replaced by another.
void copy_with(const std::filesystem::path& from, const std::filesystem::path& to, const std::string& text,
               const std::string& other) {
    using Options = std::filesystem::copy_options;
    std::filesystem::copy(from, to, Options::recursive | Options::overwrite_existing);
    std::ifstream file(from / "config.json");
    std::string config{std::istreambuf_iterator<char>(file), {}};
    const auto at = config.find(text);
    REQUIRE(at != std::string::npos);
    std::ofstream(to / "config.json") << config.replace(at, text.size(), other);
}

at::Tensor positions_of(const at::Tensor& mask) { return (mask.cumsum(1) - 1).clamp_min(0); }

}  // namespace

TEST_CASE("language models of checkpoints give transformers' logits and tokens") {
    std::size_t count = 0;
    for (const auto& folder : std::filesystem::directory_iterator(checkpoints())) {
        CAPTURE(folder.path().filename().string());
        const auto model = ferry::AutoModel<>::from_pretrained(folder.path());
        const Expected expected(folder.path());
        const at::Tensor ids = expected["input_ids"], mask = expected["attention_mask"];
        const at::NoGradGuard no_grad;
        const at::Tensor logits = model->forward(ids, mask, positions_of(mask), {}).logits;
        const at::Tensor real = mask.to(at::kBool);
        CHECK(at::allclose(logits.index({real}), expected["logits"].index({real}), 1e-5, 1e-5));
        CHECK(at::equal(ferry::generate(*model, ids, mask), expected["tokens"]));
        ++count;
    }
    CHECK(count == 11);
}

TEST_CASE("prefill and decode, exported, give transformers' tokens in each runtime") {
    for (const char* name : {"llama_tied", "mistral", "qwen3"}) {
        CAPTURE(name);
        const std::filesystem::path folder = checkpoints() / name;
        const auto model = ferry::AutoModel<>::from_pretrained(folder);
        const Expected expected(folder);
        const at::Tensor ids = expected["input_ids"], mask = expected["attention_mask"];
        const at::Tensor sample = at::ones({3, 5}, at::kLong);
        const auto tokens_of = [&](ferry::generation::Part prefill, ferry::generation::Part decode) {
            ferry::generation::Pipeline pipeline(std::move(prefill), std::move(decode));
            return ferry::generate(pipeline, ids, mask);
        };

        auto programs = ferry::export_for_generation(ferry::DynamoExporter{}, model, sample, sample,
                                                     ferry::DynamoConfig{.dynamic = true});
        REQUIRE(programs.size() == 2);
        CHECK(programs[0].first == "prefill");
        CHECK(programs[1].first == "decode");
        const auto of_program = [](const ferry::ExportedProgram& program) -> ferry::generation::Part {
            return [module = std::make_shared<ferry::ProgramModule>(program.module())](
                       const std::vector<at::Tensor>& given) {
                std::vector<at::Tensor> found;
                for (const ferry::Leaf& leaf : (*module)(given).leaves) found.push_back(leaf.tensor());
                return found;
            };
        };
        CHECK(at::equal(tokens_of(of_program(programs[0].second), of_program(programs[1].second)), expected["tokens"]));

        const ferry_test::Folder made;
        const auto in_onnx_runtime = [&](const std::string& part,
                                         const ferry::OnnxProgram& program) -> ferry::generation::Part {
            const std::filesystem::path path = made / (part + ".onnx");
            program.save(path);
            return [session = std::make_shared<ferry::runtime::OnnxSession>(path)](
                       const std::vector<at::Tensor>& given) { return session->run(given); };
        };
        auto onnx = ferry::export_for_generation(ferry::OnnxExporter{}, model, sample, sample,
                                                 ferry::OnnxConfig{.dynamic = true});
        CHECK(
            at::equal(tokens_of(in_onnx_runtime("prefill", onnx[0].second), in_onnx_runtime("decode", onnx[1].second)),
                      expected["tokens"]));

#ifdef FERRY_RUNS_EXECUTORCH  // else there is no runtime that can be loaded into a program
        const auto in_executorch = [](const ferry::ExecutorchProgram& program) -> ferry::generation::Part {
            return [session = std::make_shared<ferry::runtime::ExecutorchSession>(program.buffer())](
                       const std::vector<at::Tensor>& given) { return session->run(given); };
        };
        auto executorch = ferry::export_for_generation(ferry::ExecutorchExporter{}, model, sample, sample,
                                                       ferry::ExecutorchConfig{.dynamic = true});
        CHECK(at::equal(tokens_of(in_executorch(executorch[0].second), in_executorch(executorch[1].second)),
                        expected["tokens"]));
#endif
    }
}

TEST_CASE("a checkpoint that the model does not know all of is refused, with what it is") {
    const ferry_test::Folder folder;
    const std::filesystem::path llama = checkpoints() / "llama";
    const auto says = [&](const std::string& text, const std::string& other, const std::string& wanted) {
        copy_with(llama, folder / "changed", text, other);
        const std::string message = message_of(folder / "changed");
        CAPTURE(message);
        CHECK(message.find(wanted) != std::string::npos);
    };
    says("\"hidden_act\"", "\"final_logit_softcapping\": 30.0, \"hidden_act\"", "final_logit_softcapping: 30.0");
    says("\"rope_type\": \"default\"", "\"rope_type\": \"yarn\"", "'yarn'");
    says("\"rope_type\": \"default\"", "\"rope_type\": \"default\", \"beta\": 2", "beta: 2");
    says("\"hidden_size\": 32", "\"hidden_size\": \"32\"", "'hidden_size' is '32'");
    says("LlamaForCausalLM", "LlamaForTokens", "there are: LlamaForCausalLM, Mistral");
    says("\"num_key_value_heads\": 2", "\"num_key_value_heads\": 3", "cannot share 3");
    says("\"num_hidden_layers\": 3", "\"num_hidden_layers\": 4", "model.layers.3.self_attn.q_proj.weight");
    says("\"num_hidden_layers\": 3", "\"num_hidden_layers\": 2", "that the model does not have");
    says("\"intermediate_size\": 48", "\"intermediate_size\": 64", "[48, 32] instead of [64, 32]");
    says("\"hidden_act\": \"silu\"", "\"hidden_act\": \"snake\"", "no activation 'snake'");
    says("{", "", "config.json is no JSON");
    CHECK(message_of(folder / "nothing").find("it has no config.json") != std::string::npos);
}

namespace {

/// What README shows.
struct MyModel {
    using Model = ferry::models::Decoder;
    static constexpr std::string_view architecture = "MyForCausalLM";
    static ferry::models::DecoderOptions options(ferry::models::ConfigReader& config) {
        auto made = ferry::models::DecoderOptions::read(config);
        made.attention.has_bias = config.flag("qkv_bias", true);
        return made;
    }
};
using MyAuto = ferry::AutoModel<ferry::concat_t<ferry::models::language_models, ferry::type_list<MyModel>>>;

}  // namespace

TEST_CASE("a user's model joins the others in a list") {
    const ferry_test::Folder folder;
    const std::filesystem::path from = checkpoints() / "mistral_without_window";
    copy_with(from, folder / "named", "MistralForCausalLM", "MyForCausalLM");
    CHECK(message_of(folder / "named").find("no model for checkpoints of 'MyForCausalLM'") != std::string::npos);
    copy_with(folder / "named", folder / "mine", "\"vocab_size\"", "\"qkv_bias\": false, \"vocab_size\"");
    const Expected expected(from);
    const auto model = MyAuto::from_pretrained(folder / "mine");
    CHECK(at::equal(ferry::generate(*model, expected["input_ids"], expected["attention_mask"]), expected["tokens"]));
}

TEST_CASE("another dtype is a copy, the same one is the file's memory; sampling goes by its seed") {
    const std::filesystem::path folder = checkpoints() / "llama_tied";
    const Expected expected(folder);
    const at::Tensor ids = expected["input_ids"], mask = expected["attention_mask"];
    const auto half = ferry::AutoModel<>::from_pretrained(folder, at::kBFloat16);
    for (const auto& parameter : half->parameters()) CHECK((parameter.scalar_type() == at::kBFloat16));
    const at::NoGradGuard no_grad;
    const at::Tensor logits = half->forward(ids, mask, positions_of(mask), {}).logits;
    CHECK(at::allclose(logits[0].to(at::kFloat), expected["logits"][0], 0.1, 0.1));

    const auto model = ferry::AutoModel<>::from_pretrained(folder);
    const auto sampled = [&](std::uint64_t seed) {
        return ferry::generate(
            *model, ids, mask,
            {.max_new_tokens = 12, .do_sample = true, .temperature = 2, .top_k = 40, .top_p = 0.9, .seed = seed});
    };
    CHECK(at::equal(sampled(1), sampled(1)));
    CHECK(!at::equal(sampled(1), sampled(2)));
    CHECK(at::equal(ferry::generate(*model, ids, mask, {.do_sample = true, .top_k = 1}), expected["tokens"]));
    const at::Tensor first = expected["tokens"][0].slice(0, 9);
    const std::int64_t end = first[3].item<std::int64_t>();
    const std::int64_t last = 9 + first.eq(end).nonzero()[0].item<std::int64_t>();
    const at::Tensor ended = ferry::generate(*model, ids, mask, {.eos_token_ids = {end}, .pad_token_id = 96});
    CHECK(at::equal(ended[0].slice(0, 0, last + 1), expected["tokens"][0].slice(0, 0, last + 1)));
    CHECK(ended[0].slice(0, last + 1).eq(96).all().item<bool>());
}
