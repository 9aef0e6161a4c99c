"""`ferry export` of folders that save_pretrained has written, with transformers as the peer."""
import os
import subprocess
import unittest

import onnxruntime
import torch
import transformers

from support import FerryTest, main

SIZES = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 97}


class Checkpoint(FerryTest):
    def saved(self, model):
        model.eval().save_pretrained(self.path("model"))
        return self.path("model")

    def llama(self):
        config = transformers.LlamaConfig(**SIZES, num_key_value_heads=2)
        model = transformers.LlamaForCausalLM(config)
        self.saved(model)
        return model

    def test_parts_of_a_language_model(self):
        model = self.llama()
        ids = torch.randint(0, 97, (3, 6))
        positions = torch.arange(6).expand(3, 6)
        expected = model(ids).logits
        for form, suffix in (("pt2", ".pt2"), ("onnx", ".onnx"), ("executorch", ".pte")):
            self.ferry("export", self.path("model"), "--to", form, "-o", self.path(form))
            self.assertEqual(self.exported(form), {f"prefill{suffix}", f"decode{suffix}"})
        program = torch.export.load(self.path("pt2/prefill.pt2")).module()
        found = program(input_ids=ids, attention_mask=torch.ones_like(ids), position_ids=positions, past_key_values={"keys": [], "values": []})
        torch.testing.assert_close(found["logits"], expected, rtol=1e-4, atol=1e-5)
        session = onnxruntime.InferenceSession(self.path("onnx/prefill.onnx"))
        given = {"input_ids": ids.numpy(), "attention_mask": torch.ones_like(ids).numpy(), "position_ids": positions.numpy()}
        torch.testing.assert_close(torch.from_numpy(session.run(None, given)[0]), expected, rtol=1e-4, atol=1e-5)
        outputs = self.run_file(self.path("executorch/prefill.pte"), {str(i): each for i, each in enumerate((ids, torch.ones_like(ids), positions))})
        torch.testing.assert_close(outputs[0], expected, rtol=1e-4, atol=1e-5)

    @unittest.skipUnless("FERRY_ONNX_CHECKPOINT" in os.environ, "built without ONNX Runtime")
    def test_the_first_example_of_readme(self):
        model = self.llama()
        ids = torch.tensor([[5, 17, 42, 3, 88]])
        command = [os.environ["FERRY_ONNX_CHECKPOINT"], self.path("model"), *(str(each) for each in ids[0].tolist())]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        expected = model.generate(ids, do_sample=False, max_new_tokens=20, min_new_tokens=20, eos_token_id=None, pad_token_id=0)
        self.assertEqual([int(each) for each in done.stdout.split()], expected[0].tolist())

    def test_a_model_with_one_part(self):
        model = transformers.BertForMaskedLM(transformers.BertConfig(**SIZES))
        self.saved(model)
        ids = torch.randint(0, 97, (3, 6))
        self.ferry("export", self.path("model"), "--to", "onnx", "-o", self.path("out"), "--dynamic")
        session = onnxruntime.InferenceSession(self.path("out/model.onnx"))
        found = session.run(None, {"input_ids": ids.numpy(), "attention_mask": torch.ones_like(ids).numpy()})
        torch.testing.assert_close(torch.from_numpy(found[0]), model(ids).logits, rtol=1e-4, atol=1e-5)
        self.refused("export", self.path("model"), "--to", "pt2", "-o", self.path("none"), "--static-cache", 8, says="has no cache")

    def test_refused(self):
        self.llama()
        self.refused("export", self.folder, "--to", "pt2", "-o", self.path("out"), says="it has no config.json")
        self.refused("export", self.path("model"), "--to", "pt2", "-o", self.path("out"), "--dtype", "int8", code=2)
        self.refused("export", self.path("model"), "--to", "onnx", "--opset", 3, "-o", self.path("out"), says="opset")


main()
