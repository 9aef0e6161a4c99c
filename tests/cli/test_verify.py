"""`ferry verify` and `ferry shapes`: files of Python's exporters and of Ferry's against the models that they are of."""
import json

import torch
import transformers

from support import FerryTest, main


class Scaled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)

    def forward(self, x, mask, scale: float = 1.0):
        return self.linear(x) * scale, x.sum(1) * mask


class Verify(FerryTest):
    def scripted(self):
        self.model = Scaled().eval()
        torch.jit.script(self.model).save(self.path("model.pt"))
        return self.path("model.pt")

    def call_file(self, name, batch):
        return self.tensors(name, {"x": torch.randn(batch, 4), "mask": torch.rand(batch)})

    def calls(self):
        return [self.call_file("one.safetensors", 2), self.call_file("two.safetensors", 5)]

    def test_each_format_against_the_model(self):
        model, calls = self.scripted(), self.calls()
        shapes = self.ferry("shapes", model, "--calls", *calls).split()
        self.assertEqual(shapes, ["--dim", "mask.0=DYNAMIC", "--dim", "x.0=DYNAMIC"])
        for form in ("pt2", "onnx", "executorch"):
            file = self.path(f"model.{form}")
            self.ferry("export", model, "--to", form, "-o", file, "--inputs", calls[0], *shapes)
            table = self.ferry("verify", file, "--against", model, "--calls", *calls).splitlines()
            self.assertEqual([line.split()[:2] for line in table], [["call", "success"], ["0", "yes"], ["1", "yes"]])
            rows = json.loads(self.ferry("verify", file, "--against", model, "--calls", *calls, "--json"))
            self.assertEqual([(row["index"], row["success"], row["error"], row["n_inputs"], row["n_none"]) for row in rows],
                             [(0, True, None, 2, 0), (1, True, None, 2, 0)])
            self.assertLess(max(row["absolute"] for row in rows), 1e-5)

    def test_files_of_python(self):
        model, calls = self.scripted(), self.calls()
        x, mask = torch.randn(3, 4), torch.rand(3)
        batch = torch.export.Dim("batch", min=1)
        program = torch.export.export(self.model, (x, mask), dynamic_shapes={"x": {0: batch}, "mask": {0: batch}})
        torch.export.save(program, self.path("python.pt2"))
        torch.onnx.export(program).save(self.path("python.onnx"))
        for file in ("python.pt2", "python.onnx"):
            self.ferry("verify", self.path(file), "--against", model, "--calls", *calls)
        self.ferry("verify", self.path("python.onnx"), "--against", self.path("python.pt2"), "--calls", *calls)

    def test_differences_are_found(self):
        """Of another model, of one size alone, and of another number of inputs."""
        model, calls = self.scripted(), self.calls()
        self.ferry("export", model, "--to", "onnx", "-o", self.path("fixed.onnx"), "--inputs", calls[0])
        done = self.call("verify", self.path("fixed.onnx"), "--against", model, "--calls", *calls)
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 of 2 calls differ", done.stderr)
        self.assertRegex(done.stdout, r"\n0 +yes .*\n1 +no +- +- .*ONNX Runtime")
        torch.jit.script(Scaled().eval()).save(self.path("other.pt"))
        done = self.call("verify", self.path("fixed.onnx"), "--against", self.path("other.pt"), "--calls", calls[0], "--json")
        self.assertEqual(done.returncode, 1)
        row = json.loads(done.stdout)[0]
        self.assertFalse(row["success"])
        self.assertGreater(row["absolute"], 1e-3)
        self.ferry("verify", self.path("fixed.onnx"), "--against", self.path("other.pt"), "--calls", calls[0], "--atol", 100, "--rtol", 100)
        torch.onnx.export(torch.nn.Linear(4, 3), (torch.randn(2, 4),), dynamo=True).save(self.path("linear.onnx"))
        self.refused("verify", self.path("linear.onnx"), "--against", model, "--calls", *calls,
                     says="there are 2 tensors but the model expects 1")

    def test_a_checkpoint_with_a_cache(self):
        sizes = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 97}
        transformers.LlamaForCausalLM(transformers.LlamaConfig(**sizes)).eval().save_pretrained(self.path("model"))

        def call(name, tokens, past):
            cache = {f"past_key_values.{kind}.{layer}": torch.randn(2, 4, past, 8) for kind in ("keys", "values") for layer in range(2) if past}
            positions = torch.arange(past, past + tokens).expand(2, -1)
            return self.tensors(name, {"input_ids": torch.randint(0, 97, (2, tokens)), "position_ids": positions,
                                       "attention_mask": torch.ones(2, past + tokens, dtype=torch.int64), **cache})

        calls = [call("prompt.safetensors", 7, 0), call("next.safetensors", 1, 7), call("last.safetensors", 2, 8)]
        self.assertEqual(self.ferry("shapes", self.path("model"), "--calls", *calls, "--batch", "input_ids").splitlines(), [
            "--dim attention_mask.1=DYNAMIC", "--dim input_ids.0=DYNAMIC", "--dim input_ids.1=DYNAMIC",
            "--dim past_key_values.2=DYNAMIC:0", "--dim position_ids.1=DYNAMIC"])
        found = json.loads(self.ferry("shapes", self.path("model"), "--calls", *calls, "--json"))
        self.assertEqual(found["dynamic_shapes"]["past_key_values.keys.0"], {"2": "dynamic:0"})
        self.ferry("export", self.path("model"), "--to", "onnx", "-o", self.path("parts"), "--dynamic")
        done = self.call("verify", self.path("parts/decode.onnx"), "--against", self.path("model"), "--calls", *calls)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_refused(self):
        model, calls = self.scripted(), self.calls()
        self.refused("verify", model, "--against", model, "--calls", *calls, says="what is verified is a .pt2, ONNX or ExecuTorch file")
        self.refused("shapes", self.tensors("t.safetensors", {"x": torch.ones(1)}), "--calls", *calls, says="holds tensors, not a model")
        self.refused("shapes", model, "--calls", self.tensors("few.safetensors", {"x": torch.ones(2, 4)}), says="missing: mask")
        self.refused("shapes", model, code=2)
        other = self.tensors("rank.safetensors", {"x": torch.ones(2, 2, 4), "mask": torch.ones(2, 4)})
        self.refused("shapes", model, "--calls", calls[0], other, says="same rank")


main()
