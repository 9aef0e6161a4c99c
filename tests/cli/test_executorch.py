"""`ferry export --to executorch`, and `run` and `inspect` of what it wrote, with Python's ExecuTorch runtime as the peer."""
import json
import pathlib
import sys
import unittest

import torch

import models
from support import FERRY, FerryTest, by_position, main
from test_hostile import damaged

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent.parent / "examples"))
from executorch_runtime import load


runs = unittest.skipUnless(pathlib.Path(FERRY).with_name("libferry_executorch_runtime.so").exists(),
                           "ferry was built without ExecuTorch's runtime: the configuration says why")


class Counting(torch.nn.Module):
    """Remembers how often it ran."""

    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls.add_(1)
        return x + self.calls


class Tied(torch.nn.Module):
    """The same weights for kernels, for XNNPACK, and seen with other sizes."""

    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(50, 64)

    def forward(self, ids):
        x = self.embedding(ids)
        return torch.nn.functional.linear(x.tanh(), self.embedding.weight).relu(), self.embedding.weight.view(25, 128).cumsum(0)


class Executorch(FerryTest):
    def exported(self, module, arguments, shapes, *options):
        torch.export.save(torch.export.export(module, arguments, dynamic_shapes=shapes), self.path("model.pt2"))
        self.ferry("export", self.path("model.pt2"), "--to", "executorch", "-o", self.path("model.pte"), *options)
        return self.path("model.pte")

    def inspected(self, file):
        return json.loads(self.ferry("inspect", file, "--json"))

    @runs
    def test_runs_at_other_sizes(self):
        module = models.Mlp()
        file = self.exported(module, (torch.randn(3, 4),), ({0: models.BATCH},))
        for rows in (3, 2, 17):
            x = torch.randn(rows, 4)
            self.assert_same(load(file).forward([x]), module(x))
            self.assert_same(self.run_file(file, by_position(x)), module(x))
            self.assert_same(self.run_file(file, {"input_0": x}), module(x))

    @runs
    def test_every_run_of_the_program_begins_anew(self):
        file = self.exported(Counting(), (torch.randn(3),), None)
        x = torch.randn(3)
        for _ in range(2):
            self.assert_same(self.run_file(file, by_position(x))[:1], x + 1)

    @runs
    def test_inputs_that_do_not_fit(self):
        file = self.exported(models.Mlp(), (torch.randn(3, 4),), None)
        given = self.tensors("in.safetensors", {"0": torch.randn(3, 5)})
        self.refused("run", file, "--inputs", given, "--outputs", self.path("o"), says=["ExecuTorch's runtime: input 0", "received (3, 5)"])
        given = self.tensors("in.safetensors", {"y": torch.randn(3, 4)})
        self.refused("run", file, "--inputs", given, "--outputs", self.path("o"), says="input_0")
        given = self.tensors("in.safetensors", {"0": torch.randn(3, 4)})
        self.refused("run", file, "--inputs", given, "--outputs", self.path("o"), "--model", "backward", says=["no method 'backward'", "it has forward"])

    def test_what_is_in_it(self):
        file = self.exported(models.Mlp(), (torch.randn(3, 4),), ({0: models.BATCH},))
        found, method = self.inspected(file), load(file).method_meta("forward")
        self.assertEqual((found["format"], found["methods"], found["delegates"]), ("executorch", ["forward"], ["XnnpackBackend"]))
        self.assertEqual(found["bytes"], pathlib.Path(file).stat().st_size)
        for place, count, info in (("inputs", method.num_inputs(), method.input_tensor_meta), ("outputs", method.num_outputs(), method.output_tensor_meta)):
            self.assertEqual([each["shape"] for each in found[place]], [list(info(i).sizes()) for i in range(count)])
            self.assertEqual({each["dtype"] for each in found[place]}, {"float32"})
        (forward,) = found["executorch"]
        self.assertEqual((forward["name"], forward["delegates"], forward["backends"]), ("forward", 1, {"XnnpackBackend": 1}))
        self.assertGreater(forward["delegated_nodes"], 0)
        self.assertEqual(sum(forward["kernels"].values()), forward["kernel_calls"])
        text = self.ferry("inspect", file)
        self.assertIn("1 delegates with", text)

    def test_kernels_alone(self):
        file = self.exported(models.Mlp(), (torch.randn(3, 4),), None, "--backend", "portable")
        (forward,) = self.inspected(file)["executorch"]
        self.assertEqual((forward["delegates"], forward["delegated_nodes"]), (0, 0))
        self.assertEqual(forward["kernels"]["aten::linear.out"], 2)

    def test_weights_in_a_file_of_their_own(self):
        module, ids = Tied(), torch.tensor([[3, 1, 4]])
        for backend in ("xnnpack", "portable"):
            with self.subTest(backend):
                pathlib.Path(self.path("config.json")).write_text(json.dumps({"external_constants": True, "backend": backend}))
                file = self.exported(module, (ids,), ({1: torch.export.Dim("length", max=9)},), "--config", self.path("config.json"))
                weights = pathlib.Path(self.path("model.ptd"))
                self.assertGreater(weights.stat().st_size, 4 * 50 * 64)
                self.assertLess(weights.stat().st_size, 4 * 2 * 50 * 64)
                self.assertLess(pathlib.Path(file).stat().st_size, 4 * 50 * 64)
                for given in (ids, torch.randint(0, 50, (1, 8))):
                    self.assert_same(load(file, weights).forward([given]), module(given))

    def test_damaged_files(self):
        data = pathlib.Path(self.exported(models.Mlp(), (torch.randn(3, 4),), ({0: models.BATCH},))).read_bytes()
        refused = 0
        for seed in range(30):
            with self.subTest(seed=seed):
                pathlib.Path(self.path("bad.pte")).write_bytes(damaged(data, seed))
                done = self.call("inspect", self.path("bad.pte"))
                self.assertIn(done.returncode, (0, 1), done.stderr)
                refused += done.returncode
        self.assertGreater(refused, 8)


if __name__ == "__main__":
    main()
