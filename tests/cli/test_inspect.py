"""`ferry inspect` against what Python knows of the same model."""
import collections
import json
import os

import torch
from torch.export.pt2_archive import _package

import models
from support import FerryTest, main


def ops_of(graph_module):
    """As Ferry writes them; those of inner graphs too."""
    found = collections.Counter()
    for module in [module for module in graph_module.modules() if isinstance(module, torch.fx.GraphModule)]:
        for node in module.graph.nodes:
            if node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload):
                found[node.target.name().removesuffix(".default")] += 1
    return dict(found)


class Inspect(FerryTest):
    def json(self, *arguments):
        return json.loads(self.ferry("inspect", *arguments, "--json"))

    def exported(self, module, arguments, shapes=None):
        program = torch.export.export(module, arguments, dynamic_shapes=shapes)
        torch.export.save(program, self.path("model.pt2"))
        return program

    def test_program(self):
        module = models.Mlp()
        program = self.exported(module, (torch.randn(3, 4),), ({0: models.BATCH},))
        found = self.json(self.path("model.pt2"))
        self.assertEqual(list(found), ["file", "format", "bytes", "methods", "delegates", "inputs", "outputs", "mutations", "ranges", "guards", "ops", "weights"])
        self.assertEqual(found["format"], "pt2")
        self.assertEqual(found["bytes"], os.path.getsize(self.path("model.pt2")))
        self.assertEqual(found["methods"], ["model"])
        self.assertEqual(found["delegates"], [])
        (symbol, limits), = program.range_constraints.items()
        self.assertEqual(found["ranges"], {str(symbol): {"min": int(limits.lower), "max": int(limits.upper)}})
        self.assertEqual(found["inputs"], [{"position": 0, "path": "x", "name": "x", "type": "Tensor", "dtype": "float32",
                                            "shape": [str(symbol), 4], "symbol": None, "fixed": False, "value": None}])
        self.assertEqual(found["outputs"][0]["shape"], [str(symbol), 3])
        self.assertEqual(found["ops"], ops_of(program.graph_module))
        count = sum(parameter.numel() for parameter in module.parameters())
        self.assertEqual(found["weights"]["parameters"], {"tensors": 4, "elements": count, "bytes": 4 * count})
        self.assertEqual(found["weights"]["buffers"], {"tensors": 1, "elements": 3, "bytes": 12})
        self.assertEqual(found["weights"]["constants"], {"tensors": 0, "elements": 0, "bytes": 0})
        self.assertEqual(found["weights"]["bytes"], 4 * count + 12)
        text = self.ferry("inspect", self.path("model.pt2"))
        for line in (f"0  x  float32 [{symbol}, 4]", f"{symbol}  VR[2, 64]", "2  aten::linear", "delegates: none"):
            self.assertIn(line, text)

    def test_nested(self):
        self.exported(models.Nested(), models.Nested.arguments(3) + (True, 2.0, "sum", None), models.Nested.shapes)
        found = self.json(self.path("model.pt2"))
        self.assertEqual([(value["position"], value["path"], value["type"], value["fixed"], value["value"]) for value in found["inputs"]],
                         [(0, "x", "Tensor", False, None), (1, "extra.a.0", "Tensor", False, None), (2, "extra.b.0", "Tensor", False, None),
                          (3, "extra.b.1", "Tensor", False, None), (None, "flag", "bool", True, True), (None, "scale", "float", True, 2.0),
                          (None, "mode", "str", True, "sum"), (None, "none", "None", True, None)])
        self.assertEqual([(value["position"], value["path"], value["type"]) for value in found["outputs"]],
                         [(0, "y", "Tensor"), (None, "size", "int"), (1, "parts.0", "Tensor"), (2, "parts.1.0", "Tensor"), (None, "parts.1.1", "None")])
        self.assertIn("mode", self.ferry("inspect", self.path("model.pt2")))

    def test_inner_graphs_and_shared_weights(self):
        class Module(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.embed, self.head = torch.nn.Embedding(11, 4), torch.nn.Linear(4, 11, bias=False)
                self.head.weight = self.embed.weight

            def forward(self, ids):
                x = self.embed(ids)
                return self.head(torch.cond(x.sum() > 0, lambda a: a.sin(), lambda a: a.cos() * 2, (x,)))

        program = self.exported(Module(), (torch.randint(0, 11, (3, 5)),))
        found = self.json(self.path("model.pt2"))
        expected = ops_of(program.graph_module)
        self.assertEqual({op: count for op, count in found["ops"].items() if op.startswith("aten::")}, expected)
        self.assertEqual(found["ops"]["higher_order::cond"], 1)
        self.assertEqual(found["weights"]["bytes"], 4 * 44)

    def test_mutations(self):
        program = torch.export.export(models.Counter(), (torch.randn(3),)).run_decompositions()
        torch.export.save(program, self.path("model.pt2"))
        found = self.json(self.path("model.pt2"))
        self.assertEqual(found["mutations"], [{"kind": "BUFFER_MUTATION", "target": "calls"}, {"kind": "USER_INPUT_MUTATION", "target": "x"}])

    def test_script(self):
        module = models.Scripted()
        script = torch.jit.script(module)
        torch.jit.save(script, self.path("model.pt"))
        found = self.json(self.path("model.pt"))
        self.assertEqual(found["format"], "torchscript")
        self.assertEqual(found["methods"], ["forward"])
        self.assertEqual([(value["position"], value["path"], value["type"]) for value in found["inputs"]][:4],
                         [(0, "x", "Tensor"), (1, "pair.0", "Tensor"), (2, "pair.1", "Tensor"), (None, "many", "List[Tensor]")])
        self.assertEqual(found["outputs"][0]["type"], "Tensor")
        self.assertEqual(found["ops"]["aten::linear"], 1)
        self.assertEqual(found["weights"]["parameters"]["tensors"], 2)
        self.assertIn("List[Tensor]", self.ferry("inspect", self.path("model.pt")))

    def test_several_programs(self):
        programs = {name: torch.export.export(models.Mlp(), (torch.randn(size, 4),)) for name, size in (("small", 2), ("large", 9))}
        _package.package_pt2(self.path("both.pt2"), exported_programs=programs)
        self.refused("inspect", self.path("both.pt2"), says=["several programs", "--model", "small", "large"])
        self.assertEqual(self.json(self.path("both.pt2"), "--model", "large")["inputs"][0]["shape"], [9, 4])
        self.assertEqual(sorted(self.json(self.path("both.pt2"), "--model", "small")["methods"]), ["large", "small"])
        self.refused("inspect", self.path("both.pt2"), "--model", "medium", says="medium")


if __name__ == "__main__":
    main()
