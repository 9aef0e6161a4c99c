"""Programs that Python exports with conditions on the sizes of their inputs: Ferry must refuse the sizes that Python refuses, and what
it writes must do the same in Python."""
import torch
import torch.utils._pytree as pytree
from torch import nn
from torch.export import Dim

from support import FerryTest, by_position, main


class Remainder(nn.Module):
    def forward(self, x):
        return x.sin() if x.size(0) % 3 == 0 else x.cos()


class Branch(nn.Module):
    def forward(self, x):
        return x[:2] * 2 if min(x.size(0), 8) + x.size(1) // 2 > 7 else x + 1


class Fixed(nn.Module):
    def forward(self, x):
        return x * 2 if x.size(0) == 5 else x


class Nested(nn.Module):
    def forward(self, x, past):
        longer = past["keys"][1].size(0) > 2 * x.size(0)
        return x.sum() + past["keys"][1].sum() * (3 if longer else 2) + past["keys"][0]


class Several(nn.Module):
    def forward(self, *parts):
        return parts[0] + 1 if parts[1].size(0) != parts[0].size(0) + 4 else parts[1]


class Equal(nn.Module):
    def forward(self, x, y):
        return x + y if x.size(0) <= y.size(0) <= x.size(0) else x


class Cache:
    def __init__(self, *layers):
        self.layers = layers


pytree.register_pytree_node(Cache, lambda cache: (list(cache.layers), None), lambda layers, _: Cache(*layers), serialized_type_name="test_guards.Cache",
                            flatten_with_keys_fn=lambda cache: ([(pytree.SequenceKey(i), layer) for i, layer in enumerate(cache.layers)], None))


class Kept(nn.Module):
    def forward(self, x, cache):
        return x.sum() + cache.layers[1] if cache.layers[1].size(0) > 2 * cache.layers[0].size(0) else cache.layers[0]


class Uneven(nn.Module):
    def forward(self, x, parts):
        return x.sum() + parts[1] if parts[1].size(0) > 2 * parts[0][1].size(0) else parts[0][0]


AUTO = {0: Dim.AUTO}
PAST = {"keys": [None, AUTO]}


def past(rows):
    return {"keys": [torch.randn(2), torch.randn(rows)]}


# A module, its example, its dynamic shapes, and arguments of sizes some of which it was not exported for.
CASES = {
    "remainder": (Remainder(), (torch.randn(6),), (AUTO,), [(torch.randn(n),) for n in (3, 9, 12, 5, 7)]),
    "branch": (Branch(), (torch.randn(6, 6),), ({0: Dim.AUTO, 1: Dim.AUTO},), [(torch.randn(a, b),) for a, b in ((6, 4), (9, 3), (5, 5), (3, 20), (6, 2))]),
    "fixed": (Fixed(), (torch.randn(5, 3),), ({0: Dim.AUTO, 1: Dim.AUTO},), [(torch.randn(5, 4),), (torch.randn(6, 3),)]),
    "nested": (Nested(), (torch.randn(3), past(8)), (AUTO, PAST), [(torch.randn(a), past(b)) for a, b in ((4, 9), (3, 7), (4, 8), (5, 3))]),
    "uneven": (Uneven(), (torch.randn(3), [[torch.randn(9), torch.randn(2)], torch.randn(7)]), (AUTO, [[AUTO, AUTO], AUTO]),
               [(torch.randn(4), [[torch.randn(a), torch.randn(b)], torch.randn(c)]) for a, b, c in ((3, 2, 5), (4, 3, 7), (2, 3, 6), (2, 4, 5))]),
    "several": (Several(), (torch.randn(3), torch.randn(5)), ((AUTO, AUTO),), [(torch.randn(a), torch.randn(b)) for a, b in ((4, 4), (5, 6), (4, 8), (5, 9))]),
    "equal": (Equal(), (torch.randn(3), torch.randn(3)), (AUTO, AUTO), [(torch.randn(a), torch.randn(b)) for a, b in ((4, 4), (3, 5), (6, 2))]),
}


class Guards(FerryTest):
    def check(self, file, program, module, arguments):
        """Whether Python takes these arguments; Ferry does as Python does."""
        try:
            found = program.module()(*arguments)
        except (AssertionError, RuntimeError, ValueError):
            inputs = self.tensors("refused.safetensors", by_position(*arguments))
            self.refused("run", file, "--inputs", inputs, "--outputs", self.path("none"))
            return False
        self.assert_same([found], module(*arguments))
        self.assert_same(self.run_file(file, by_position(*arguments)), module(*arguments))
        return True

    def test_as_in_python(self):
        for name, (module, example, shapes, others) in CASES.items():
            with self.subTest(name):
                file, written, decomposed = (self.path(f"{name}.{kind}.pt2") for kind in ("python", "written", "decomposed"))
                torch.export.save(torch.export.export(module, example, dynamic_shapes=shapes), file)
                self.ferry("export", file, "--to", "pt2", "-o", written)
                self.ferry("export", file, "--to", "pt2", "--decompose", "-o", decomposed)
                taken = set()
                for each in (file, written, decomposed):
                    program = torch.export.load(each)
                    self.assertTrue(self.check(each, program, module, example))
                    taken.add(tuple(self.check(each, program, module, arguments) for arguments in others))
                self.assertEqual(len(taken), 1)
                self.assertEqual(set(*taken), {True, False})  # or nothing was tried

    def test_object(self):
        """Python counts the tensors of an object. What Ferry writes has no example of one, without which Python checks nothing."""
        file, module, example = self.path("object.pt2"), Kept(), (torch.randn(3), Cache(torch.randn(2), torch.randn(7)))
        torch.export.save(torch.export.export(module, example, dynamic_shapes=(AUTO, [AUTO, AUTO])), file)
        program = torch.export.load(file)
        others = [(torch.randn(4), Cache(torch.randn(a), torch.randn(b))) for a, b in ((2, 5), (3, 7), (3, 6), (4, 2))]
        self.assertEqual([self.check(file, program, module, arguments) for arguments in (example, *others)], [True, True, True, False, False])

    def test_small_sizes(self):
        """Python checks no lower bound of 2 or less; a larger one it does."""
        cases = {
            "automatic": ((AUTO,), {0: True, 1: True, 2: True, 12: True}),
            "two": (({0: Dim("rows", min=2, max=9)},), {0: True, 1: True, 9: True, 10: False}),
            "three": (({0: Dim("rows", min=3, max=9)},), {0: False, 1: False, 2: False, 3: True, 10: False}),
            "derived": (({0: 2 * Dim("half", min=1, max=9)},), {2: True, 18: True, 20: False}),
        }
        module = nn.Sequential(nn.Linear(4, 3), nn.SiLU(), nn.LayerNorm(3)).eval()
        for name, (shapes, taken) in cases.items():
            with self.subTest(name):
                file, written, decomposed = (self.path(f"{name}.{kind}.pt2") for kind in ("python", "written", "decomposed"))
                torch.export.save(torch.export.export(module, (torch.randn(6, 4),), dynamic_shapes=shapes), file)
                self.ferry("export", file, "--to", "pt2", "-o", written)
                self.ferry("export", file, "--to", "pt2", "--decompose", "-o", decomposed)
                ranges = torch.export.load(file).range_constraints
                for each in (file, written, decomposed):
                    program = torch.export.load(each)
                    self.assertEqual(str(program.range_constraints), str(ranges))
                    self.assertEqual({size: self.check(each, program, module, (torch.randn(size, 4),)) for size in taken}, taken)

    def test_small_sizes_in_onnx(self):
        module = nn.Sequential(nn.Linear(4, 3), nn.SiLU(), nn.LayerNorm(3)).eval()
        file, model = self.path("a.pt2"), self.path("a.onnx")
        torch.export.save(torch.export.export(module, (torch.randn(6, 4),), dynamic_shapes=(AUTO,)), file)
        self.ferry("export", file, "--to", "onnx", "-o", model)
        for size in (1, 2, 7):
            x = torch.randn(size, 4)
            self.assert_same(self.run_file(model, by_position(x)), module(x))

    def test_message(self):
        module, example, shapes, _ = CASES["remainder"]
        torch.export.save(torch.export.export(module, example, dynamic_shapes=shapes), self.path("a.pt2"))
        inputs = self.tensors("x.safetensors", {"x": torch.randn(7)})
        self.refused("run", self.path("a.pt2"), "--inputs", inputs, "--outputs", self.path("o"), says="the export holds only where (x.size()[0] % 3) == 0")
        self.assertIn("(x.size()[0] % 3) == 0", self.ferry("inspect", self.path("a.pt2")))


if __name__ == "__main__":
    main()
