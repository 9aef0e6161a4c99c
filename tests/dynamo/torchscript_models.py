"""Writes the scripted modules that torchscript.cpp exports, each with inputs of other sizes and what Python's forward makes of them."""
import pathlib
import sys
from typing import Dict, List, Optional, Tuple

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(4, 8)
        self.down = nn.Linear(8, 4)

    def forward(self, x):
        return self.down(torch.relu(self.up(x)))


class Nested(nn.Module):
    """A branch on shapes, a loop over modules, nested outputs, an optional input."""

    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(), Block()])
        self.register_buffer("scale", torch.full((4,), 0.5))

    def forward(self, x, mask: Optional[torch.Tensor] = None) -> Tuple[torch.Tensor, Dict[str, List[torch.Tensor]]]:
        if x.dim() == 2:
            x = x.unsqueeze(0)
        if x.size(-1) != 4:
            raise RuntimeError("four features are needed")
        states: List[torch.Tensor] = []
        for block in self.blocks:
            x = x + block(x) * self.scale
            states.append(x)
        if mask is not None:
            x = x.masked_fill(mask == 0, -1.0)
        half = x.size(1) // 2
        return x, {"states": states, "halves": [x[:, :half], x[:, half:]]}


class Counter(nn.Module):
    """Exchanges a buffer and appends to a list."""

    seen: List[torch.Tensor]

    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(3))
        self.seen = []

    def forward(self, x):
        self.total = self.total + x.sum(0)
        self.seen.append(x)
        return x + self.total


class Selecting(nn.Module):
    def forward(self, x):
        return x[x > 0].sum() + torch.arange(int((x > 0).sum())).sum()


def main(folder: pathlib.Path):
    torch.manual_seed(5)
    for name, model, inputs in [
        ("nested", Nested(), [{"x": torch.randn(5, 4)}, {"x": torch.randn(9, 4)}]),
        ("masked", Nested(), [{"x": torch.randn(2, 5, 4), "mask": torch.ones(2, 5, 1)}, {"x": torch.randn(3, 8, 4), "mask": torch.zeros(3, 8, 1)}]),
        ("counter", Counter(), [{"x": torch.randn(2, 3)}, {"x": torch.randn(6, 3)}]),
        ("selecting", Selecting(), [{"x": torch.randn(4, 3)}, {"x": torch.randn(7, 6)}]),
    ]:
        torch.jit.script(model.eval()).save(str(folder / f"{name}.pt"))
        with torch.no_grad():
            results = [torch.utils._pytree.tree_leaves(model(**each)) for each in inputs[1:]]
        data = {f"input{i}_{key}": value for i, each in enumerate(inputs) for key, value in each.items()}
        data |= {f"output{i}_{k}": leaf for i, leaves in enumerate(results) for k, leaf in enumerate(leaves)}
        holder = nn.Module()
        for key, value in data.items():
            holder.register_buffer(key, value.clone())
        torch.jit.script(holder).save(str(folder / f"{name}_data.pt"))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
