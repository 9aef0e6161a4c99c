"""`ferry export`: what Python loads again gives what eager gives, at other sizes too; and what is refused."""
import copy
import os

import torch

import models
from support import FerryTest, main, tensors_in


class ExportProgram(FerryTest):
    def check(self, module, cases, shapes):
        """Through ferry and back: Python's eager, Python's program and ours agree."""
        program = torch.export.export(copy.deepcopy(module), copy.deepcopy(cases[0]), dynamic_shapes=shapes)
        torch.export.save(program, self.path("python.pt2"))
        self.ferry("export", self.path("python.pt2"), "--to", "pt2", "-o", self.path("ferry.pt2"))
        loaded = torch.export.load(self.path("ferry.pt2"))
        for arguments in cases:
            expected = copy.deepcopy(module)(*copy.deepcopy(arguments))
            self.assert_same(tensors_in(copy.deepcopy(loaded).module()(*copy.deepcopy(arguments))), expected)
        self.assertEqual({name: str(range) for name, range in loaded.range_constraints.items()}.keys(),
                         {name: str(range) for name, range in program.range_constraints.items()}.keys())
        self.assertEqual(loaded.state_dict.keys(), program.state_dict.keys())

    def test_static_and_dynamic(self):
        self.check(models.Mlp(), [(torch.randn(3, 4),)], None)
        self.check(models.Mlp(), [(torch.randn(size, 4),) for size in (3, 2, 50)], ({0: models.BATCH},))

    def test_nested(self):
        rest = (True, 2.0, "sum", None)
        self.check(models.Nested(), [models.Nested.arguments(size) + rest for size in (3, 8)], models.Nested.shapes)

    def test_state(self):
        self.check(models.Counter(), [(torch.randn(3),)], None)

    def test_classes_of_python(self):
        def arguments(size):
            return torch.randn(size, 4), models.Cache([torch.randn(2, 4)], [torch.randn(5)])

        rows = torch.export.Dim("rows", min=2, max=100)
        self.check(models.Cached(), [arguments(3), arguments(7)], ({0: rows}, [[None], [None]]))

    def test_in_place(self):
        module = models.Mlp()
        file = self.path("model.pt2")
        torch.export.save(torch.export.export(module, (torch.randn(3, 4),)), file)
        self.ferry("export", file, "--to", "pt2", "-o", file)
        x = torch.randn(3, 4)
        self.assert_same(tensors_in(torch.export.load(file).module()(x)), module(x))
        self.assertEqual(os.listdir(self.folder), ["model.pt2"])

    def test_shapes_are_fixed(self):
        torch.export.save(torch.export.export(models.Mlp(), (torch.randn(3, 4),)), self.path("model.pt2"))
        given = self.tensors("in.safetensors", {"x": torch.randn(3, 4)})
        for options in (["--dynamic"], ["--dim", "x.0=batch"]):
            self.refused("export", self.path("model.pt2"), "--to", "pt2", "-o", self.path("o"), *options, says="fixed by its export")
        self.refused("export", self.path("model.pt2"), "--to", "pt2", "-o", self.path("o"), "--strict", says="not captured again")
        self.refused("export", self.path("model.pt2"), "--to", "pt2", "-o", self.path("o"), "--inputs", given, says="--inputs")


class ExportScript(FerryTest):
    def capture(self, module, tensors, *options):
        torch.jit.save(torch.jit.script(module), self.path("model.pt"))
        given = self.tensors("sample.safetensors", tensors)
        self.ferry("export", self.path("model.pt"), "--to", "pt2", "-o", self.path("model.pt2"), "--inputs", given, *options)
        return torch.export.load(self.path("model.pt2"))

    def check(self, program, module, cases):
        for case in cases:
            self.assert_same(tensors_in(program.module()(**case)), module(**case))
            flat = {str(position): tensor for position, tensor in enumerate(tensors_in(case))}
            self.assert_same(self.run_file(self.path("model.pt2"), flat), module(**case))

    def test_static(self):
        module = models.Mlp()
        program = self.capture(module, {"0": torch.randn(3, 4)})
        self.check(program, module, [{"x": torch.randn(3, 4)}])
        given = self.tensors("in.safetensors", {"x": torch.randn(4, 4)})
        self.refused("run", self.path("model.pt2"), "--inputs", given, "--outputs", self.path("o"), says="must be 3")

    def test_dynamic(self):
        module = models.Mlp()
        program = self.capture(module, {"x": torch.randn(3, 4)}, "--dynamic", "--strict")
        self.check(program, module, [{"x": torch.randn(size, 4)} for size in (2, 3, 19, 200)])

    def test_named_dimensions(self):
        module = models.Mlp()
        program = self.capture(module, {"x": torch.randn(3, 4)}, "--dim", "x.0=batch:2:64")
        self.assertEqual([(range.lower, range.upper) for range in program.range_constraints.values()], [(2, 64)])
        self.check(program, module, [{"x": torch.randn(size, 4)} for size in (2, 31, 64)])
        given = self.tensors("in.safetensors", {"x": torch.randn(65, 4)})
        self.refused("run", self.path("model.pt2"), "--inputs", given, "--outputs", self.path("o"), says="outside VR[2, 64]")

    def test_dimensions_that_are_not_given_are_static(self):
        program = self.capture(torch.nn.ReLU(), {"input": torch.randn(3, 4)}, "--dynamic", "--dim", "input.0=DYNAMIC")
        self.check(program, torch.nn.ReLU(), [{"input": torch.randn(size, 4)} for size in (2, 9)])
        given = self.tensors("in.safetensors", {"input": torch.randn(3, 5)})
        self.refused("run", self.path("model.pt2"), "--inputs", given, "--outputs", self.path("o"), says="must be 4")

    def test_patterns(self):
        module = models.Scripted()
        torch.jit.save(torch.jit.script(module), self.path("model.pt"))
        given = self.tensors("sample.safetensors", models.Scripted.named(models.Scripted.arguments(5)))
        dims = [word for dim in ("x.0=n:2:50", "pair.0.0=n", "many.1.0=n", "named.*.weight.0=n") for word in ("--dim", dim)]
        self.ferry("export", self.path("model.pt"), "--to", "pt2", "-o", self.path("model.pt2"), "--inputs", given, *dims)
        arguments = models.Scripted.arguments(8)
        self.assert_same(self.run_file(self.path("model.pt2"), models.Scripted.named(arguments)), module(*arguments))

    def test_sizes_in_terms_of_others(self):
        module = models.Shifted()
        program = self.capture(module, {"x": torch.randn(3), "y": torch.randn(4)}, "--dim", "x.0=n:2:50", "--dim", "y.-1=n+1")
        self.check(program, module, [{"x": torch.randn(size), "y": torch.randn(size + 1)} for size in (2, 9, 50)])

    def test_nested(self):
        module = models.Scripted()
        sample = models.Scripted.arguments(5)
        torch.jit.save(torch.jit.script(module), self.path("model.pt"))
        given = self.tensors("sample.safetensors", models.Scripted.named(sample) | {"scale": torch.tensor(0.5), "times": torch.tensor(2)})
        self.ferry("export", self.path("model.pt"), "--to", "pt2", "-o", self.path("model.pt2"), "--inputs", given, "--dynamic", "-v")
        for size in (5, 2, 8):
            arguments = models.Scripted.arguments(size)
            expected = module(*arguments, scale=0.5, times=2)
            self.assert_same(self.run_file(self.path("model.pt2"), models.Scripted.named(arguments)), expected)
            names = ("x", "pair", "many", "named")
            program = torch.export.load(self.path("model.pt2"))
            self.assert_same(tensors_in(program.module()(**dict(zip(names, arguments)), scale=0.5, times=2)), expected)

    def test_decompose(self):
        module = models.Mlp()
        program = self.capture(module, {"x": torch.randn(3, 4)}, "--dynamic", "--decompose")
        ops = {str(node.target) for node in program.graph.nodes if node.op == "call_function"}
        self.assertNotIn("aten.linear.default", ops)
        self.assertIn("aten.addmm.default", ops)
        self.check(program, module, [{"x": torch.randn(size, 4)} for size in (2, 3, 19)])

    def test_timings(self):
        module = models.Mlp()
        torch.jit.save(torch.jit.script(module), self.path("model.pt"))
        given = self.tensors("sample.safetensors", {"x": torch.randn(3, 4)})
        done = self.call("export", self.path("model.pt"), "--to", "pt2", "-o", self.path("o"), "--inputs", given, "--dynamic", "--decompose", "--timings")
        self.assertEqual(done.returncode, 0, done.stderr)
        said = done.stderr.splitlines()
        self.assertIn("x dimension 1 is static", said[0])  # the notes of the program come first
        rows = [line.rsplit(None, 1)[0].strip() for line in said[1:]]
        self.assertEqual(rows, ["stage", "load", "capture", "dynamic shapes", "graph", "decompose", "save", "total"])

    def test_refusals(self):
        torch.jit.save(torch.jit.script(models.Mlp()), self.path("model.pt"))
        given = self.tensors("in.safetensors", {"x": torch.randn(3, 4)})
        wrong = self.tensors("wrong.safetensors", {"y": torch.randn(3, 4)})
        base = ["export", self.path("model.pt"), "--to", "pt2", "-o", self.path("o")]
        self.refused(*base, says=["exported by running it", "--inputs"])
        self.refused(*base, "--inputs", wrong, says=["missing: x; unknown: y", "0 = x"])
        self.refused(*base, "--inputs", given, "--dim", "y.0=n", says="the inputs are: x")
        self.refused(*base, "--inputs", given, "--dim", "x.1=n:2:9", says=["n", "4"])
        self.refused(*base, "--inputs", given, "--dim", "x.1=DYNAMIC", says=["must vary", "x dimension 1"])
        self.refused(*base, "--inputs", given, "--dim", "x.2=n", says="a dimension 2 of an input of rank 2")
        self.refused(*base, "--inputs", given, "--model", "main", says="--model")
        self.refused(*base, "--inputs", self.path("absent"), says="No such file")
        for dim in ("x", "x.0", "x.0=", "x.zero=n", "x.0=n:a", "x.0=n:9:2", "x.0=n:1:2:3", "x.0=3", "x.0=n+", "x.0=2*n:1:2", ".0=n"):
            with self.subTest(dim):
                self.refused(*base, "--inputs", given, "--dim", dim, says=f"--dim {dim}", code=2)
        self.refused(*base, "--inputs", given, "--dim", "x.0=n", "--dim", "x.0=m", says="given twice", code=2)
        self.refused(*base, "--inputs", given, "--dim", "x.0=n:1:5", "--dim", "x.1=n:1:6", says="another range", code=2)


class Formats(FerryTest):
    def test_formats_to_come(self):
        torch.export.save(torch.export.export(models.Mlp(), (torch.randn(3, 4),)), self.path("model.pt2"))
        for backend, says in {"cuda": "does not export for ExecuTorch's backend 'cuda' yet", "tpu": "there is no backend 'tpu'"}.items():
            self.refused("export", self.path("model.pt2"), "--to", "executorch", "--backend", backend, "-o", self.path("o"), says=says)
        self.refused("export", self.path("model.pt2"), "--to", "tflite", "-o", self.path("o"), says="tflite", code=2)

    def test_places_that_cannot_be_written(self):
        torch.export.save(torch.export.export(models.Mlp(), (torch.randn(3, 4),)), self.path("model.pt2"))
        self.refused("export", self.path("model.pt2"), "--to", "pt2", "-o", self.path("no/such/folder"), says="No such file")
        self.refused("export", self.path("model.pt2"), "--to", "pt2", "-o", self.folder, says="Is a directory")


if __name__ == "__main__":
    main()
