"""`ferry export --task` and `ferry generate`, with transformers' generate and Python's ExecuTorch runtime as the peers."""
import json
import os
import pathlib
import sys
import unittest

import onnxruntime
import torch
import transformers

from support import FERRY, FerryTest, main

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent.parent / "examples"))
from executorch_runtime import load

runs = unittest.skipUnless(pathlib.Path(FERRY).with_name("libferry_executorch_runtime.so").exists() or "FERRY_EXECUTORCH_RUNTIME" in os.environ,
                           "ferry was built without ExecuTorch's runtime: the configuration says why")
TEXT = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 97}
VISION = {"hidden_size": 24, "intermediate_size": 40, "num_hidden_layers": 2, "num_attention_heads": 3, "image_size": 12, "patch_size": 4}
AUDIO = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "num_mel_bins": 8, "max_source_positions": 18}
PLACEHOLDER = 96
NEW = 8
CACHED = {"get_dtype": 6, "get_max_batch_size": 1, "get_vocab_size": 97, "use_kv_cache": True, "use_sdpa_with_kv_cache": False, "enable_dynamic_shape": True}

torch.set_num_threads(1)
torch.set_grad_enabled(False)
transformers.utils.logging.disable_progress_bar()
transformers.utils.logging.set_verbosity_error()


def ids_of(text):
    return ",".join(map(str, text))


class Generate(FerryTest):
    def saved(self, model):
        for parameter in model.eval().parameters():  # fresh models say one token again and again
            parameter.add_(torch.randn_like(parameter) * 0.2)
        model.generation_config.eos_token_id = None  # a text ends where a test says
        model.save_pretrained(self.path("model"))
        return model

    def export(self, form, task, *options):
        self.ferry("export", self.path("model"), "--to", form, "--task", task, "-o", self.path(form), *options)
        return self.path(form)

    def generated(self, folder, *texts, inputs=None, options=()):
        """What `ferry generate` prints, as a list for each text."""
        given = [each for text in texts for each in ("--prompt-ids", ids_of(text))]
        if inputs:
            given += ["--inputs", self.tensors("given.safetensors", inputs)]
        return json.loads(self.ferry("generate", folder, *given, "--max-new-tokens", NEW, "--json", *options))["tokens"]

    def methods(self, wanted, constants):
        """Python's runtime with the task's file, whose methods are these."""
        program = load(self.path("executorch/model.pte"))
        self.assertEqual(set(program.method_names()), {*wanted, *constants})
        for name, value in constants.items():
            self.assertEqual(program.run_method(name, ()), value if isinstance(value, list) else [value], name)
        return program

    @runs
    def test_language_model(self):
        model = self.saved(transformers.LlamaForCausalLM(transformers.LlamaConfig(**TEXT, eos_token_id=[2, 7], max_position_embeddings=64)))
        texts = [[5, 17, 42, 3, 88], [9, 11]]
        greedy = {"do_sample": False, "max_new_tokens": NEW}
        expected = [model.generate(torch.tensor([text]), eos_token_id=None, **greedy)[0].tolist() for text in texts]
        folder = self.export("executorch", "text-generation")
        self.assertEqual(set(os.listdir(folder)), {"model.pte", "config.json", "generation_config.json"})
        program = self.methods(["forward"], {**CACHED, "get_bos_id": 1, "get_eos_id": [2, 7], "get_head_dim": 8, "get_n_kv_heads": 2, "get_n_layers": 2,
                                             "get_max_seq_len": 64})
        for text, wanted in zip(texts, expected):  # the second begins anew in the same cache
            new, tokens = list(text), list(text)
            for _ in range(NEW):
                (logits,) = program.run_method("forward", [torch.tensor([new]), torch.arange(len(tokens) - len(new), len(tokens))])
                new = [int(logits[0, -1].argmax())]
                tokens += new
            self.assertEqual(tokens, wanted)
        never = ("--eos", PLACEHOLDER)
        self.assertEqual(self.generated(folder, *texts, options=never), expected)
        self.assertEqual(self.generated(self.path("model"), texts[0], options=never), expected[:1])

        # Texts of two lengths at once, and one that ends.
        padded = {"input_ids": torch.tensor([texts[0], [0, 0, 0, *texts[1]]]), "attention_mask": torch.tensor([[1] * 5, [0, 0, 0, 1, 1]])}
        end = expected[0][7]
        batch = model.generate(**padded, eos_token_id=end, pad_token_id=end, **greedy).tolist()
        for form in ("pt2", "onnx"):
            folder = self.export(form, "text-generation")
            self.assertIn("generation_config.json", os.listdir(folder))
            self.assertEqual(self.generated(folder, *texts, options=("--eos", end)), [batch[0], [end] * 3 + batch[1][3:]])
        self.ferry("export", self.path("model"), "--to", "executorch", "-o", self.path("parts"), "--dynamic")
        self.assertEqual(self.exported("parts"), {"prefill.pte", "decode.pte"})
        found = self.generated(self.path("parts"), *texts, options=never)
        self.assertEqual([found[0], found[1][3:]], expected)

        # Chance: one seed is one text, and is kept among the likeliest.
        chosen = [self.generated(self.path("pt2"), texts[0], options=("--sample", "--seed", seed, "--temperature", 3, *never))[0] for seed in (1, 1, 2)]
        self.assertEqual(chosen[0], chosen[1])
        self.assertNotEqual(chosen[0], chosen[2])
        self.assertEqual(self.generated(self.path("pt2"), texts[0], options=("--sample", "--top-k", 1, *never)), expected[:1])

    @runs
    def test_room_of_a_cache(self):
        model = self.saved(transformers.GPT2LMHeadModel(transformers.GPT2Config(n_embd=32, n_head=4, n_layer=2, n_positions=24, vocab_size=97)))
        folder = self.export("executorch", "text-generation", "--max-seq-len", 8, "--disable-dynamic-shapes")
        program = load(f"{folder}/model.pte")
        self.assertEqual(program.run_method("get_max_seq_len", ()), [8])
        self.assertEqual(program.run_method("enable_dynamic_shape", ()), [False])
        text = [5, 17, 42, 3, 88]
        wanted = model.generate(torch.tensor([text]), do_sample=False, max_new_tokens=4, eos_token_id=None, pad_token_id=0)[0].tolist()
        done = self.call("generate", folder, "--prompt-ids", ids_of(text), "--eos", PLACEHOLDER)
        self.assertIn("there is room for 4 tokens behind a text of 5", done.stderr)
        self.assertEqual([int(each) for each in done.stdout.split()], wanted)
        self.refused("generate", folder, "--prompt-ids", ids_of(range(3, 12)), says=("9 tokens", "room for 8"))
        self.refused("export", self.path("model"), "--to", "executorch", "--task", "text-generation", "--max-seq-len", 25, "-o", self.path("none"),
                     says="the model has 24 positions")

    @runs
    def test_states_instead_of_a_cache(self):
        config = transformers.MambaConfig(hidden_size=16, state_size=4, num_hidden_layers=2, vocab_size=97, conv_kernel=3)
        model = self.saved(transformers.MambaForCausalLM(config))
        texts = [[5, 17, 42, 3, 88], [9, 11]]
        expected = [model.generate(torch.tensor([text]), do_sample=False, max_new_tokens=NEW, eos_token_id=None)[0].tolist() for text in texts]
        folder = self.export("executorch", "text-generation")
        self.assertEqual(load(f"{folder}/model.pte").run_method("enable_dynamic_shape", ()), [False])
        self.assertEqual(self.generated(folder, *texts, options=("--eos", PLACEHOLDER)), expected)

    @runs
    def test_encoder_of_texts(self):
        config = transformers.T5Config(d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4, vocab_size=97, decoder_start_token_id=3, pad_token_id=0)
        model = self.saved(transformers.T5ForConditionalGeneration(config))
        texts = [[5, 17, 42, 3, 88], [9, 11]]
        expected = [model.generate(torch.tensor([text]), do_sample=False, max_new_tokens=NEW, eos_token_id=None)[0].tolist() for text in texts]
        folder = self.export("executorch", "text2text-generation", "--max-seq-len", 20, "--max-hidden-seq-len", 32)
        program = self.methods(["encoder", "text_decoder"],
                               {**CACHED, "get_head_dim": 8, "get_n_layers": 2, "get_max_seq_len": 20, "decoder_start_token_id": 3, "get_eos_id": 1})
        for text, wanted in zip(texts, expected):
            (encoded,) = program.run_method("encoder", [torch.tensor([text])])
            tokens = [3]
            for place in range(NEW):
                (logits,) = program.run_method("text_decoder", [torch.tensor([tokens[-1:]]), encoded, torch.tensor([place])])
                tokens.append(int(logits[0, -1].argmax()))
            self.assertEqual(tokens, wanted)
        never = ("--eos", PLACEHOLDER)
        self.assertEqual(self.generated(folder, *texts, options=never), expected)
        for form in ("pt2", "onnx"):
            self.assertEqual(self.generated(self.export(form, "text2text-generation"), *texts, options=never), expected)
        self.assertEqual(self.generated(self.path("model"), *texts, options=never), expected)

    @runs
    def test_encoder_of_sounds(self):
        config = transformers.WhisperConfig(d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=2,
                                            encoder_ffn_dim=48, decoder_ffn_dim=40, num_mel_bins=6, max_source_positions=10, max_target_positions=40,
                                            vocab_size=97, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=3)
        model = self.saved(transformers.WhisperForConditionalGeneration(config))
        sounds, expected = torch.randn(2, 6, 20), torch.full((2, 1), 3)
        for _ in range(NEW):  # its own generate forces and suppresses tokens
            expected = torch.cat([expected, model(sounds, decoder_input_ids=expected).logits[:, -1:].argmax(-1)], 1)
        expected = expected.tolist()
        self.export("executorch", "automatic-speech-recognition")
        self.methods(["encoder", "text_decoder"], {**CACHED, "get_head_dim": 8, "get_n_layers": 2, "get_max_seq_len": 40, "decoder_start_token_id": 3,
                                                   "get_eos_id": 2, "get_bos_id": 1})
        self.export("onnx", "automatic-speech-recognition")
        for folder in ("executorch", "onnx", "model"):
            self.assertEqual(self.generated(self.path(folder), inputs={"input_features": sounds}, options=("--eos", PLACEHOLDER)), expected)
        first = expected[0][:3]
        self.assertEqual(self.generated(self.path("onnx"), first, inputs={"input_features": sounds[:1]}, options=("--eos", PLACEHOLDER))[0][:NEW + 1], expected[0])

    def check_multimodal(self, task, model, name, samples, method, constants, others):
        """Two texts, each with nine vectors from elsewhere."""
        self.saved(model)
        pathlib.Path(self.path("model/preprocessor_config.json")).write_text(json.dumps(
            {"image_mean": [0.5, 0.25], "do_resize": True, "size": {"height": 12}, "nothing": None, "kind": "test"}))
        texts = [[5, *[PLACEHOLDER] * 9, 42, 3], [8, 9, *[PLACEHOLDER] * 9, 7]]
        expected = model.generate(torch.tensor(texts), **{name: samples}, do_sample=False, max_new_tokens=NEW, eos_token_id=None, pad_token_id=0).tolist()
        folder = self.export("executorch", task, "--max-seq-len", 32)
        self.assertIn("preprocessor_config.json", os.listdir(folder))
        program = self.methods(["text_decoder", "token_embedding", method],
                               {**CACHED, "get_head_dim": 8, "get_n_kv_heads": 2, "get_n_layers": 2, "get_max_seq_len": 32, "get_bos_id": 1, "get_eos_id": 2,
                                "image_mean": [0.5, 0.25], "do_resize": True, "size": [12], "kind": "test", **constants})
        (embedded,), (features,) = program.run_method("token_embedding", [torch.tensor(texts[:1])]), program.run_method(method, [samples[:1]])
        embedded[0, 1:10] = features.reshape(9, 32)
        tokens = list(texts[0])
        for _ in range(NEW):
            (logits,) = program.run_method("text_decoder", [embedded, torch.arange(len(tokens) - embedded.shape[1], len(tokens))])
            tokens.append(int(logits[0, -1].argmax()))
            (embedded,) = program.run_method("token_embedding", [torch.tensor([tokens[-1:]])])
        self.assertEqual(tokens, expected[0])
        never = ("--eos", PLACEHOLDER - 1)
        for folder in ("executorch", "model", *others):
            if folder in ("pt2", "onnx"):
                self.export(folder, task)
            self.assertEqual(self.generated(self.path(folder), *texts, inputs={name: samples}, options=never), expected, folder)
        return program

    @runs
    def test_images(self):
        config = transformers.LlavaConfig(vision_config=transformers.CLIPVisionConfig(**VISION), text_config=transformers.LlamaConfig(**TEXT),
                                          image_token_index=PLACEHOLDER)
        model = transformers.LlavaForConditionalGeneration(config)
        self.check_multimodal("image-text-to-text", model, "pixel_values", torch.randn(2, 3, 12, 12), "vision_encoder",
                              {"modality": "vision", "vision_token_id": PLACEHOLDER}, ["onnx"])
        self.refused("generate", self.path("executorch"), "--prompt-ids", "5,96,96", "--inputs", self.path("given.safetensors"), says="2 tokens for images")
        self.refused("export", self.path("model"), "--to", "onnx", "--task", "text-generation", "-o", self.path("none"),
                     says="is for language models that take texts alone, and LlavaForConditionalGeneration is none")

    @runs
    def test_sounds(self):
        config = transformers.VoxtralConfig(audio_config=AUDIO, text_config=transformers.LlamaConfig(**TEXT).to_dict(), audio_token_id=PLACEHOLDER)
        samples = torch.randn(2, 8, 36)
        program = self.check_multimodal("multimodal-text-to-text", transformers.VoxtralForConditionalGeneration(config), "input_features", samples,
                                        "audio_encoder", {"modality": "audio", "audio_token_id": PLACEHOLDER}, [])
        both, each = program.run_method("audio_encoder", [samples])[0], [program.run_method("audio_encoder", [one])[0].clone() for one in samples.split(1)]
        torch.testing.assert_close(both.reshape(18, 32), torch.cat(each).reshape(18, 32), rtol=1e-4, atol=1e-5)

    @runs
    def test_models_that_are_called_once(self):
        image = transformers.ViTForImageClassification(transformers.ViTConfig(**VISION, num_labels=5)).eval()
        image.save_pretrained(self.path("model"))
        pixels = torch.randn(1, 3, 12, 12)
        (found,) = load(self.export("executorch", "image-classification") + "/model.pte").run_method("forward", [pixels])
        torch.testing.assert_close(found, image(pixels).logits, rtol=1e-4, atol=1e-5)
        session = onnxruntime.InferenceSession(self.export("onnx", "image-classification") + "/model.onnx")
        torch.testing.assert_close(torch.from_numpy(session.run(None, {"pixel_values": pixels.numpy()})[0]), image(pixels).logits, rtol=1e-4, atol=1e-5)
        self.refused("generate", self.path("executorch"), "--prompt-ids", 5, says="it was not exported to generate")
        self.refused("export", self.path("model"), "--to", "onnx", "--task", "fill-mask", "-o", self.path("none"), says="ViTForImageClassification is none")

        sizes = {key: value for key, value in TEXT.items() if key != "num_key_value_heads"}
        text = transformers.BertForMaskedLM(transformers.BertConfig(**sizes, max_position_embeddings=20)).eval()
        text.save_pretrained(self.path("bert"))
        os.replace(self.path("model"), self.path("image"))
        os.replace(self.path("bert"), self.path("model"))
        program = load(self.export("executorch", "fill-mask") + "/model.pte")
        self.assertEqual(program.run_method("get_max_seq_len", ()), [20])
        program_of = torch.export.load(self.export("pt2", "fill-mask") + "/model.pt2").module()
        self.refused("generate", self.path("model"), "--prompt-ids", 5, says="BertForMaskedLM does not generate texts")
        for length in (3, 19):
            ids = torch.randint(0, 97, (1, length))
            given = (ids, torch.ones_like(ids))
            torch.testing.assert_close(program.run_method("forward", given)[0], text(ids).logits, rtol=1e-4, atol=1e-5)
            torch.testing.assert_close(program_of(input_ids=given[0], attention_mask=given[1])["logits"], text(ids).logits, rtol=1e-4, atol=1e-5)

    def test_refused(self):
        self.saved(transformers.LlamaForCausalLM(transformers.LlamaConfig(**TEXT)))
        export = ("export", self.path("model"), "--to", "executorch", "-o", self.path("none"))
        self.refused(*export, "--task", "translation", says=("The task 'translation' isn't registered", "text-generation, multimodal-text-to-text"))
        self.refused(*export, "--task", "text2text-generation", says="is for language models behind an encoder of texts")
        self.refused(*export, "--task", "text-generation", "--dynamic", says="--max-seq-len says how many")
        self.refused(*export, "--max-seq-len", 8, says="are for a --task of ExecuTorch")
        self.refused("generate", self.path("nowhere"), "--prompt-ids", 5, says="is no folder")
        self.refused("generate", self.folder, "--prompt-ids", 5, says="that generates: no checkpoint, no parts, no model.pte")
        self.refused("generate", self.path("model"), says="there is no prompt")
        self.refused("generate", self.path("model"), "--prompt-ids", "5,97", says="there is no token 97: the model has 97")
        self.refused("generate", self.path("model"), "--prompt-ids", "5 97", says="there is no token 97: the model has 97")
        self.refused("generate", self.path("model"), "--prompt-ids", "5,x", code=2)


main()
