"""`ferry export --to onnx`, and `run` and `inspect` of what it wrote, with Python's ONNX Runtime and onnx as the peers."""
import json
import os

import numpy
import onnx
import onnxruntime
import torch

import models
from support import FerryTest, by_position, main
from test_hostile import damaged


class Onnx(FerryTest):
    def exported(self, module, arguments, shapes, *options):
        torch.export.save(torch.export.export(module, arguments, dynamic_shapes=shapes), self.path("model.pt2"))
        self.ferry("export", self.path("model.pt2"), "--to", "onnx", "-o", self.path("model.onnx"), *options)
        return self.path("model.onnx")

    def in_python(self, file, *tensors):
        session = onnxruntime.InferenceSession(file)
        names = [each.name for each in session.get_inputs()]
        return [torch.from_numpy(each) for each in session.run(None, dict(zip(names, (tensor.numpy() for tensor in tensors), strict=True)))]

    def test_runs_at_other_sizes(self):
        module = models.Mlp()
        file = self.exported(module, (torch.randn(3, 4),), ({0: models.BATCH},))
        for rows in (3, 2, 17):
            x = torch.randn(rows, 4)
            self.assert_same(self.in_python(file, x), module(x))
            self.assert_same(self.run_file(file, by_position(x)), module(x))
            self.assert_same(self.run_file(file, {"x": x}), module(x))

    def test_names(self):
        module = models.Nested()
        file = self.exported(module, models.Nested.arguments(3), {name: models.Nested.shapes[name] for name in ("x", "extra")})
        model = onnx.load(file)
        self.assertEqual([each.name for each in model.graph.input], ["x", "extra.a.0", "extra.b.0", "extra.b.1"])
        self.assertEqual([each.name for each in model.graph.output], ["y", "size", "parts.0", "parts.1.0"])
        self.assertEqual(model.graph.input[0].type.tensor_type.shape.dim[0].dim_param, model.graph.input[1].type.tensor_type.shape.dim[0].dim_param)
        given = models.Nested.arguments(5)
        expected = module(*given)
        found = self.in_python(file, given[0], given[1]["a"][0], *given[1]["b"])
        self.assert_same([found[0], *found[2:]], expected)
        self.assertEqual(int(found[1]), 5)

    def test_what_is_written_to_comes_out(self):
        file = self.exported(models.Counter(), (torch.randn(3),), None)
        self.assertEqual([each.name for each in onnx.load(file).graph.output], ["output", "calls.mutated", "x.mutated"])
        x = torch.randn(3)
        self.assert_same(self.in_python(file, x), [x * 2 + 1, torch.ones(()), x * 2])

    def test_opsets(self):
        module, x = models.Mlp(), torch.randn(3, 4)
        for opset in (18, 20, 21, 22, 23):
            with self.subTest(opset=opset):
                file = self.exported(module, (x,), None, "--opset", opset)
                self.assertEqual(onnx.load(file).opset_import[0].version, opset)
                self.assert_same(self.in_python(file, x), module(x))

    def test_config_file(self):
        module, x = models.Mlp(), torch.randn(3, 4)
        settings = {"export_format": "onnx", "opset_version": 20, "external_data": False, "keep_initializers_as_inputs": True}
        with open(self.path("config.json"), "w") as file:
            json.dump(settings, file)
        model = onnx.load(self.exported(module, (x,), None, "--config", self.path("config.json")))
        self.assertEqual(model.opset_import[0].version, 20)
        self.assertGreater(len(model.graph.input), 1)
        self.assertFalse(os.path.exists(self.path("model.onnx.data")))
        model = onnx.load(self.exported(module, (x,), None, "--config", self.path("config.json"), "--opset", 21))
        self.assertEqual(model.opset_import[0].version, 21)
        with open(self.path("config.json"), "w") as file:
            json.dump({"opset": 20}, file)
        self.refused("export", self.path("model.pt2"), "--to", "onnx", "-o", self.path("x.onnx"), "--config", self.path("config.json"),
                     says=("there is no such setting",))

    def test_without_weights(self):
        module, x = torch.nn.Linear(4, 3), torch.randn(2, 4)
        file = self.exported(module, (x,), None, "--no-export-params")
        model = onnx.load(file)
        self.assertEqual(len(model.graph.initializer), 0)
        self.assertEqual({each.name for each in model.graph.input}, {"input", "weight", "bias"})
        session = onnxruntime.InferenceSession(file)
        given = {"input": x.numpy(), "weight": module.weight.detach().numpy(), "bias": module.bias.detach().numpy()}
        self.assert_same([torch.from_numpy(session.run(None, given)[0])], module(x))

    def test_weights_beside_or_inside(self):
        module, x = torch.nn.Linear(64, 64), torch.randn(2, 64)
        file = self.exported(module, (x,), None)
        self.assertGreaterEqual(os.path.getsize(file + ".data"), 64 * 64 * 4)
        self.assert_same(self.in_python(file, x), module(x))
        onnx.checker.check_model(file, full_check=True)
        os.remove(file + ".data")
        file = self.exported(module, (x,), None, "--no-external-data")
        self.assertFalse(os.path.exists(file + ".data"))
        self.assert_same(self.in_python(file, x), module(x))

    def test_inspect(self):
        file = self.exported(models.Mlp(), (torch.randn(3, 4),), ({0: models.BATCH},))
        found = json.loads(self.ferry("inspect", file, "--json"))
        self.assertEqual(found["format"], "onnx")
        self.assertEqual([each["path"] for each in found["inputs"]], ["x"])
        self.assertEqual(found["inputs"][0]["shape"][1], 4)
        nodes = [node.op_type for node in onnx.load(file).graph.node]
        self.assertEqual(found["ops"], {op: nodes.count(op) for op in set(nodes)})
        elements = sum(numpy.prod(each.dims) for each in onnx.load(file).graph.initializer)
        self.assertEqual(found["weights"]["parameters"]["elements"], elements)

    def test_refusals(self):
        torch.export.save(torch.export.export(models.Mlp(), (torch.randn(3, 4),)), self.path("model.pt2"))
        command = ["export", self.path("model.pt2"), "--to", "onnx", "-o"]
        self.refused(*command, self.path("o"), "--opset", 5, says=["opset 5", "18 to"])
        self.refused(*command, self.path("absent/o"), says="No such file")
        self.refused(*command, str(self.folder), says="Is a directory")
        file = self.exported(models.Mlp(), (torch.randn(3, 4),), None)
        given = self.tensors("wrong.safetensors", {"y": torch.randn(3, 4)})
        self.refused("run", file, "--inputs", given, "--outputs", self.path("o"), says=["missing: x", "unknown: y"])
        self.refused("export", file, "--to", "pt2", "-o", self.path("o"), says="is not exported again")

    def test_damaged_models(self):
        data = open(self.exported(models.Mlp(), (torch.randn(3, 4),), None, "--no-external-data"), "rb").read()
        given = self.tensors("in.safetensors", {"x": torch.randn(3, 4)})
        for seed in range(16):
            (self.folder / "bad.onnx").write_bytes(damaged(data, seed))
            for command in (["inspect", self.path("bad.onnx")], ["run", self.path("bad.onnx"), "--inputs", given, "--outputs", self.path("o")]):
                with self.subTest(seed=seed, command=command[0]):
                    done = self.call(*command)
                    self.assertIn(done.returncode, (0, 1), done.stderr)


if __name__ == "__main__":
    main()
