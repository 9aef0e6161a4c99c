"""Writes the scripted modules that torchscript.cpp exports, each with inputs of other sizes and what Python's forward makes of them."""
import pathlib
import sys
import warnings
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


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        return torch.relu(self.norm(x)) * x.size(0)


class Selecting(nn.Module):
    def forward(self, x):
        return x[x > 0].sum() + torch.arange(int((x > 0).sum())).sum()


class Patches(nn.Module):
    """A vision transformer in small: traced, it computes its sizes in tensors (NumToTensor, floor_divide, Int)."""

    def __init__(self):
        super().__init__()
        self.cut = nn.Conv2d(3, 8, 4, 4)
        self.first = nn.Parameter(torch.randn(1, 1, 8))
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.drop = nn.Dropout(0.5, inplace=True)

    def forward(self, x):
        n, _, h, w = x.shape
        x = self.cut(x).reshape(n, 8, (h // 4) * (w // 4)).permute(0, 2, 1)
        x = torch.cat([self.first.expand(n, -1, -1), x], 1)
        x = self.drop(x + self.attention(x, x, x, need_weights=False)[0])
        return {"first": x[:, 0], "mean": x.sum(1) / x.shape[1], "count": x.shape[1] * torch.ones(1)}


class Windows(nn.Module):
    """Pads to a multiple, as windowed attention does: remainders of sizes in tensors. Nested outputs."""

    def forward(self, x):
        n, l, c = x.shape
        x = torch.nn.functional.pad(x, (0, 0, 0, (4 - l % 4) % 4))
        x = x.view(n, x.shape[1] // 4, 4, c).mean(2)
        return x, (x.sum(1), [x.amax(1)])


class ShiftedWindows(nn.Module):
    """Padded to whole windows, shifted, masked where windows wrap around, cut up, and all of it undone."""

    def forward(self, x):
        n, h, w, c = x.shape
        x = torch.nn.functional.pad(x, (0, 0, 0, (4 - w % 4) % 4, 0, (4 - h % 4) % 4))
        high, wide = x.shape[1], x.shape[2]
        x = torch.roll(x, shifts=(-1, -1), dims=(1, 2))
        windows = (high // 4) * (wide // 4)
        x = x.view(n, high // 4, 4, wide // 4, 4, c).permute(0, 1, 3, 2, 4, 5).reshape(n * windows, 16, c)
        mask = x.new_zeros((high, wide))
        mask[-4:-1, 0:-1] = 1
        mask[-1:, -1:] = 2
        mask = mask.view(high // 4, 4, wide // 4, 4).permute(0, 2, 1, 3).reshape(windows, 16)
        x = x.view(n, windows, 16, c) * mask.unsqueeze(0).unsqueeze(-1) + torch.tensor(0.5, dtype=x.dtype, device=x.device)
        x = x.view(n, high // 4, wide // 4, 4, 4, c).permute(0, 1, 3, 2, 4, 5).reshape(n, high, wide, c)
        return torch.roll(x, shifts=(1, 1), dims=(1, 2))[:, :h, :w, :].contiguous()


class Dense(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 3)

    def forward(self, x):
        return self.layer(x)


class Baked(nn.Module):
    """As tracing sees `range(len(x))`: one step for each row of the sample."""

    def forward(self, x):
        return torch.stack([row * i for i, row in enumerate(x)])


@torch.jit.script
def warn(x: torch.Tensor) -> torch.Tensor:
    import_warning = "rows are doubled"
    warnings.warn(import_warning)
    return x * 2


class Loud(nn.Module):
    def forward(self, x):
        return warn(x)


def save(name, model, x, path):
    if name.startswith("traced"):
        torch.jit.trace(model, x, strict=False, check_trace=False).save(path)
    elif name.startswith("frozen"):
        torch.jit.freeze(torch.jit.trace(model, x, strict=False, check_trace=False)).save(path)
    else:
        torch.jit.script(model).save(path)


def main(folder: pathlib.Path):
    torch.manual_seed(5)
    for name, model, inputs in [
        ("nested", Nested(), [{"x": torch.randn(5, 4)}, {"x": torch.randn(9, 4)}]),
        ("masked", Nested(), [{"x": torch.randn(2, 5, 4), "mask": torch.ones(2, 5, 1)}, {"x": torch.randn(3, 8, 4), "mask": torch.zeros(3, 8, 1)}]),
        ("counter", Counter(), [{"x": torch.randn(2, 3)}, {"x": torch.randn(6, 3)}]),
        ("selecting", Selecting(), [{"x": torch.randn(4, 3)}, {"x": torch.randn(7, 6)}]),
        ("traced_patches", Patches(), [{"x": torch.randn(1, 3, 16, 16)}, {"x": torch.randn(3, 3, 20, 12)}]),
        ("frozen_patches", Patches(), [{"x": torch.randn(1, 3, 16, 16)}, {"x": torch.randn(3, 3, 20, 12)}]),
        ("traced_windows", Windows(), [{"x": torch.randn(1, 6, 8)}, {"x": torch.randn(3, 13, 8)}]),
        ("traced_shifted", ShiftedWindows(), [{"x": torch.randn(1, 10, 12, 3)}, {"x": torch.randn(3, 7, 21, 3)}]),
        ("shifted", ShiftedWindows(), [{"x": torch.randn(1, 10, 12, 3)}, {"x": torch.randn(3, 18, 9, 3)}]),
        ("traced_baked", Baked(), [{"x": torch.randn(3, 4)}, {"x": torch.randn(3, 7)}]),
        ("quantized", torch.ao.quantization.quantize_dynamic(Dense(), {nn.Linear}), [{"x": torch.randn(3, 4)}]),
        ("normed", Normed(), [{"x": torch.randn(3, 4)}, {"x": torch.randn(5, 4)}]),
        ("loud", Loud(), [{"x": torch.randn(3, 4)}, {"x": torch.randn(5, 4)}]),
    ]:
        save(name, model.eval(), inputs[0]["x"], str(folder / f"{name}.pt"))
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
