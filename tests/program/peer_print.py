"""Compares what Ferry prints of a program with what Python's torch.export prints of the same model.

usage: peer_print.py PRINTING_PROGRAM

Left out is what must differ: comments (files and lines in Python, module paths in Ferry), the names of symbols and the order
that follows from them, numbers after the names of sizes, _assert_tensor_metadata, which only Python's tracer adds, and the
overload for a tensor and a number, for which C++ has one of its own.
"""

import re
import subprocess
import sys

import torch
from torch.export import Dim, export

BATCH, LENGTH = Dim("batch", min=2, max=64), Dim("length", min=2, max=128)


class Mlp(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up = torch.nn.Linear(4, 8)
        self.down = torch.nn.Linear(8, 4, bias=False)

    def forward(self, x):
        return self.down(torch.nn.functional.gelu(self.up(x))) + x


class Attention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = torch.nn.Linear(8, 24)

    def forward(self, x, mask):
        batch, length = x.size(0), x.size(1)
        q, k, v = self.qkv(x).view(batch, length, 3, 2, 4).permute(2, 0, 3, 1, 4).unbind(0)
        scores = torch.matmul(q, k.transpose(-2, -1)) / 2.0
        scores = scores.masked_fill(mask, float("-inf"))
        return torch.matmul(torch.softmax(scores, -1), v).transpose(1, 2).reshape(batch, length, 8)


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(3))

    def forward(self, x, y):
        self.count.add_(x.sum(0))
        y.mul_(2)
        return self.count * 2, y.sum()


class Sizes(torch.nn.Module):
    def forward(self, x):
        positions = torch.arange(x.size(1))
        flat = x.reshape(x.size(0) * x.size(1), 3)
        full = torch.full((x.size(0), x.size(1) + 1), 0.5, dtype=torch.float64)
        return {"flat": flat, "full": full, "next": positions + 1, "size": x.size(1) * 2}


class Constants(torch.nn.Module):
    def forward(self, x, times: int, scale: float):
        first, second = x.chunk(2, -1)
        best, where = (first * times).topk(2)
        return best, where, second.to(torch.float16) * scale, x


def ones(*sizes, dtype=torch.float32):
    return torch.ones(sizes, dtype=dtype)


MODELS = {
    "mlp": (Mlp(), (ones(3, 4),), {"x": {0: BATCH}}, False),
    "attention": (
        Attention(),
        (ones(3, 5, 8), ones(5, 5, dtype=torch.bool)),
        {"x": {0: BATCH, 1: LENGTH}, "mask": {0: LENGTH, 1: LENGTH}},
        False,
    ),
    "counter": (Counter(), (ones(4, 3), ones(2)), None, True),
    "sizes": (Sizes(), (ones(3, 5, 3),), {"x": {0: BATCH, 1: LENGTH}}, False),
    "constants": (Constants(), (ones(2, 6), 3, 0.5), None, False),
}


def of_python(name):
    model, arguments, shapes, functional = MODELS[name]
    program = export(model.eval(), arguments, dynamic_shapes=shapes)
    if functional:  # Ferry's programs are, always
        program = program.run_decompositions({})
    return str(program)


def is_kept(line):
    bare = line.strip()
    if bare in ("# inputs", "# outputs"):
        return True
    return bare != "" and not bare.startswith("#") and "_assert_tensor_metadata" not in bare


def numbered(text, pattern, base):
    """Calls what matches `base` and a number, in the order of its first occurrence."""
    names = {}
    return re.sub(pattern, lambda found: names.setdefault(found[0], f"{base}{len(names)}"), text)


def normal(text):
    text = "\n".join(line.rstrip() for line in text.splitlines() if is_kept(line))
    text = numbered(text, r"\b(s\d+|batch|length)\b", "symbol")
    text = numbered(text, r"\bsym_size_int(_\d+)?\b", "size")
    text = re.sub(r"symbol\d+(\*symbol\d+)+", lambda found: "*".join(sorted(found[0].split("*"))), text)
    text = re.sub(r"aten\.(add|sub|mul|div)\.Scalar\(", r"aten.\1.Tensor(", text)
    ranges = re.search(r"Range constraints: \{(.*)\}", text)
    return text.replace(ranges[0], f"Range constraints: {sorted(re.findall('symbol.*?]', ranges[1]))}")


def main():
    printed = subprocess.run([sys.argv[1]], capture_output=True, text=True, check=True).stdout
    of_ferry = dict(part.split("\n", 1) for part in printed.split("==== ")[1:])
    wrong = 0
    for name in MODELS:
        ours, theirs = normal(of_ferry[name]), normal(of_python(name))
        if ours == theirs:
            continue
        wrong += 1
        print(f"{name}: Ferry prints\n{ours}\n\nPython prints\n{theirs}\n")
    print(f"{len(MODELS)} programs, {wrong} printed otherwise than in Python")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
