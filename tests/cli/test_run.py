"""`ferry run` against eager: names and positions, inputs that are no tensors, sizes not used in the export, and what is refused."""
import copy
import os
import pty
import subprocess

import torch
from safetensors.torch import load_file

import models
from support import FERRY, FerryTest, by_position, main


def exported(test, module, arguments, shapes=None, name="model.pt2"):
    torch.export.save(torch.export.export(module, copy.deepcopy(arguments), dynamic_shapes=shapes), test.path(name))
    return test.path(name)


class RunProgram(FerryTest):
    def test_names_and_positions(self):
        module = models.Mlp()
        file = exported(self, module, (torch.randn(3, 4),), ({0: models.BATCH},))
        for size in (2, 3, 17, 64):
            x = torch.randn(size, 4)
            self.assert_same(self.run_file(file, {"0": x}), module(x))
            self.assert_same(self.run_file(file, {"x": x}), module(x))

    def test_nested_inputs_and_constants(self):
        module = models.Nested()
        file = exported(self, module, models.Nested.arguments(3) + (True, 2.0, "sum", None), models.Nested.shapes)
        for size in (2, 5, 31):
            x, extra = models.Nested.arguments(size)
            expected = module(x, extra)
            paths = {"x": x, "extra.a.0": extra["a"][0], "extra.b.0": extra["b"][0], "extra.b.1": extra["b"][1]}
            self.assert_same(self.run_file(file, paths), expected)
            self.assert_same(self.run_file(file, by_position(x, extra)), expected)
            mixed = {"1": extra["a"][0], "x": x, "extra_b_0": extra["b"][0], "3": extra["b"][1]}  # the graph's name too
            self.assert_same(self.run_file(file, mixed), expected)
            self.assert_same(self.run_file(file, paths | {"scale": torch.tensor(2.0, dtype=torch.float64), "flag": torch.tensor(True)}), expected)
        given = self.tensors("other.safetensors", paths | {"scale": torch.tensor(3.0)})
        self.refused("run", file, "--inputs", given, "--outputs", self.path("o"), says=["the export fixed this input to 2.0", "scale"])

    def test_integers(self):
        module = models.Times()
        file = exported(self, module, (torch.randn(3, 4), 5), ({0: models.BATCH}, torch.export.Dim.DYNAMIC))
        x = torch.randn(6, 4)
        self.assert_same(self.run_file(file, {"0": x}), module(x, 5))
        self.assert_same(self.run_file(file, {"x": x, "n": torch.tensor(7)}), module(x, 7))
        given = self.tensors("two.safetensors", {"x": x, "n": torch.tensor([1, 2])})
        self.refused("run", file, "--inputs", given, "--outputs", self.path("o"), says=["n", "one element"])

    def test_classes_of_python(self):
        module = models.Cached()
        past = models.Cache([torch.randn(2, 4), torch.randn(3, 4)], [torch.randn(5)])
        rows = torch.export.Dim("rows", min=2, max=100)
        file = exported(self, module, (torch.randn(6, 4), past), ({0: rows}, [[{0: torch.export.Dim.DYNAMIC}, None], [None]]))
        for size in (2, 9):
            x, past = torch.randn(size, 4), models.Cache([torch.randn(size + 3, 4), torch.randn(3, 4)], [torch.randn(5)])
            expected = module(x, past)
            self.assert_same(self.run_file(file, by_position(x, past)), expected)
            names = {"x": x, "past.keys.0": past.keys[0], "past.keys.1": past.keys[1], "past.values.0": past.values[0]}
            self.assert_same(self.run_file(file, names), expected)

    def test_writes_in_place_change_no_file(self):
        module = models.Counter()
        file = exported(self, copy.deepcopy(module), (torch.randn(3),))
        x = torch.randn(3)
        before = open(file, "rb").read()
        for _ in range(2):  # a run begins with the state of the file
            self.assert_same(self.run_file(file, {"x": x}), copy.deepcopy(module)(x.clone()))
        self.assertEqual(open(file, "rb").read(), before)
        self.assertTrue(load_file(self.path("inputs.safetensors"))["x"].equal(x))

    def test_wrong_keys(self):
        file = exported(self, models.Nested(), models.Nested.arguments(3) + (True, 2.0, "sum", None), models.Nested.shapes)
        x, extra = models.Nested.arguments(4)
        good = by_position(x, extra)
        cases = {
            "missing: extra.a.0": {key: value for key, value in good.items() if key != "1"},
            "unknown: 4": good | {"4": x},
            "unknown: extra.c.0": good | {"extra.c.0": x},
            "unknown: mode": good | {"mode": torch.tensor(1)},
            "twice: x": good | {"x": x},
            "missing: x; unknown: y": {"y": x, "1": extra["a"][0], "2": extra["b"][0], "3": extra["b"][1]},
        }
        for says, tensors in cases.items():
            with self.subTest(says):
                given = self.tensors("in.safetensors", tensors)
                self.refused("run", file, "--inputs", given, "--outputs", self.path("o"), says=[says, "0 = x, 1 = extra.a.0", "mode (str, in the export 'sum')"])

    def test_wrong_tensors(self):
        file = exported(self, models.Mlp(), (torch.randn(3, 4),), ({0: models.BATCH},))
        cases = {
            "outside VR[2, 64]": torch.randn(65, 4),
            "dimension 1 must be 4, this one is 5": torch.randn(3, 5),
            "a tensor of float32 is expected, this one is float64": torch.randn(3, 4, dtype=torch.float64),
            "a tensor of 2 dimensions is expected": torch.randn(4),
        }
        for says, x in cases.items():
            with self.subTest(says):
                given = self.tensors("in.safetensors", {"x": x})
                self.refused("run", file, "--inputs", given, "--outputs", self.path("o"), says=[says, "x"])

    def test_results_that_no_file_can_hold(self):
        class Complex(torch.nn.Module):
            def forward(self, x):
                return torch.complex(x, x)

        file = exported(self, Complex(), (torch.randn(3, dtype=torch.float64),))
        given = self.tensors("in.safetensors", {"x": torch.randn(3, dtype=torch.float64)})
        self.refused("run", file, "--inputs", given, "--outputs", self.path("o"), says="no tensors of ComplexDouble")
        self.tensors("kept.safetensors", {"x": torch.randn(3)})
        self.refused("run", file, "--inputs", given, "--outputs", self.path("kept.safetensors"))


class RunScript(FerryTest):
    def test_every_kind_of_parameter(self):
        module = models.Scripted()
        torch.jit.save(torch.jit.script(module), self.path("model.pt"))
        for size in (1, 5):
            arguments = models.Scripted.arguments(size)
            named = models.Scripted.named(arguments)
            self.assert_same(self.run_file(self.path("model.pt"), named), module(*arguments))
            mask = torch.randn(size, 1)
            numbers = {"scale": torch.tensor(0.5), "times": torch.tensor(3), "negate": torch.tensor(True), "mask": mask}
            self.assert_same(self.run_file(self.path("model.pt"), named | numbers), module(*arguments, 0.5, 3, True, mask))

    def test_positions_and_kinds_of_files(self):
        module = models.Mlp()
        for file in ("traced.anything", "program.pt"):  # the content says what a file is
            torch.jit.save(torch.jit.trace(module, torch.randn(3, 4)), self.path(file))
            x = torch.randn(7, 4)
            self.assert_same(self.run_file(self.path(file), {"0": x}), module(x))
            self.assert_same(self.run_file(self.path(file), {"x": x}), module(x))

    def test_wrong_keys(self):
        torch.jit.save(torch.jit.script(models.Scripted()), self.path("model.pt"))
        good = models.Scripted.named(models.Scripted.arguments(3))
        cases = {
            "missing: x": {key: value for key, value in good.items() if key != "x"},
            "missing: many.1; unknown: many.7": {key.replace("many.1", "many.7"): value for key, value in good.items()},
            "missing: pair.1": {key: value for key, value in good.items() if key != "pair.1"},
            "unknown: other": good | {"other": torch.zeros(1)},
        }
        for says, tensors in cases.items():
            with self.subTest(says):
                given = self.tensors("in.safetensors", tensors)
                self.refused("run", self.path("model.pt"), "--inputs", given, "--outputs", self.path("o"), says=[says, "0 = x", "scale (float, optional)"])
        given = self.tensors("in.safetensors", {"0": torch.zeros(3, 4)})
        self.refused("run", self.path("model.pt"), "--inputs", given, "--outputs", self.path("o"),
                     says=["missing: pair.0, pair.1, many, named", "many (List[Tensor], as many.0, ...)"])

    def test_a_model_that_fails(self):
        class Strict(torch.nn.Module):
            def forward(self, x):
                if x.shape[0] > 3:
                    raise ValueError("no more than three rows")
                return x

        torch.jit.save(torch.jit.script(Strict()), self.path("model.pt"))
        given = self.tensors("in.safetensors", {"x": torch.randn(4, 4)})
        self.refused("run", self.path("model.pt"), "--inputs", given, "--outputs", self.path("o"), says="no more than three rows")


class Streams(FerryTest):
    def test_timings(self):
        file = exported(self, models.Mlp(), (torch.randn(3, 4),))
        given = self.tensors("in.safetensors", {"x": torch.randn(3, 4)})
        done = self.call("run", file, "--inputs", given, "--outputs", self.path("o"), "--timings")
        self.assertEqual(done.stdout, "")
        rows = [line.split() for line in done.stderr.splitlines()]
        self.assertEqual([row[0] for row in rows], ["stage", "load", "run", "save", "total"])
        self.assertAlmostEqual(sum(float(row[1]) for row in rows[1:-1]), float(rows[-1][1]), delta=0.005)

    def test_progress_on_a_terminal_only(self):
        file = exported(self, models.Mlp(), (torch.randn(3, 4),))
        given = self.tensors("in.safetensors", {"x": torch.randn(3, 4)})
        arguments = [FERRY, "run", file, "--inputs", given, "--outputs", self.path("o")]
        self.assertEqual(self.call(*arguments[1:]).stderr, "")
        try:
            ours, theirs = pty.openpty()
        except OSError:
            self.skipTest("this machine has no pseudo terminals")
        self.assertEqual(subprocess.run(arguments, stderr=theirs, timeout=60).returncode, 0)
        os.close(theirs)
        shown = os.read(ours, 10000).decode()
        os.close(ours)
        self.assertIn("load ...", shown)
        self.assertTrue(shown.endswith("\r\033[K"), shown)  # nothing is left of it


if __name__ == "__main__":
    main()
