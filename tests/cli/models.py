"""Small models: as Python's exporter and as TorchScript's compiler take them."""
from typing import Dict, List, Optional, Tuple

import torch
from torch import nn
from torch.export import Dim
from torch.utils import _pytree as pytree

BATCH = Dim("batch", min=2, max=64)


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(4, 8), nn.Linear(8, 3)
        self.register_buffer("shift", torch.randn(3))

    def forward(self, x):
        return self.down(torch.relu(self.up(x))) + self.shift


class Nested(nn.Module):
    """Nested inputs, inputs that are no tensors, nested outputs with numbers among them."""

    def forward(self, x, extra: Dict[str, List[torch.Tensor]], flag: bool = True, scale: float = 2.0, mode: str = "sum", none=None):
        y = x * scale + extra["a"][0] - extra["b"][0] @ extra["b"][1]
        return {"y": y if flag else -y, "size": x.shape[0], "parts": [y.sum(0), (y.mean(), None)]}

    @staticmethod
    def arguments(n):
        return torch.randn(n, 4), {"a": [torch.randn(n, 4)], "b": [torch.randn(n, 2), torch.randn(2, 4)]}

    shapes = {"x": {0: BATCH}, "extra": {"a": [{0: BATCH}], "b": [{0: BATCH}, None]}, "flag": None, "scale": None, "mode": None, "none": None}


class Counter(nn.Module):
    """Keeps count of its calls, and writes to its input."""

    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls.add_(1)
        x.mul_(2)
        return x + self.calls


class Times(nn.Module):
    def forward(self, x, n: int):
        return x * n, torch.zeros(n, 2)


class Cache:
    """A class that only Python knows."""

    def __init__(self, keys, values):
        self.keys, self.values = keys, values


pytree.register_pytree_node(
    Cache,
    lambda cache: ([cache.keys, cache.values], ["keys", "values"]),
    lambda leaves, context: Cache(*leaves),
    serialized_type_name="models.Cache",
    flatten_with_keys_fn=lambda cache: ([(pytree.GetAttrKey(name), getattr(cache, name)) for name in ("keys", "values")], ["keys", "values"]),
)


class Cached(nn.Module):
    def forward(self, x, past):
        keys = [torch.cat([old, x]) for old in past.keys]
        return Cache(keys, [value + 1 for value in past.values]), x.sum()


class Scripted(nn.Module):
    """For torch.jit.script: every kind of parameter that tensors in a file can be given for."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 3)

    def forward(self, x: torch.Tensor, pair: Tuple[torch.Tensor, torch.Tensor], many: List[torch.Tensor], named: Dict[str, torch.Tensor],
                scale: float = 2.0, times: int = 1, negate: bool = False, mask: Optional[torch.Tensor] = None):
        y = self.linear(x) * scale
        for _ in range(times):
            y = y + pair[0] - pair[1]
        for each in many:
            y = y + each
        y = y + named["bias"] * named["layer.weight"]
        if mask is not None:
            y = y * mask
        if negate:
            y = -y
        return y, {"sum": y.sum(), "mean": y.mean()}, [y.mean(0)], x.shape[0]

    @staticmethod
    def arguments(n):
        return torch.randn(n, 4), (torch.randn(n, 3), torch.randn(3)), [torch.randn(3), torch.randn(n, 3)], {"bias": torch.randn(3), "layer.weight": torch.randn(n, 3)}

    @staticmethod
    def named(arguments):
        x, pair, many, named = arguments
        return {"x": x, "pair.0": pair[0], "pair.1": pair[1], "many.0": many[0], "many.1": many[1], "named.bias": named["bias"], "named.layer.weight": named["layer.weight"]}


class Shifted(nn.Module):
    """For torch.jit.script: one input is longer by one."""

    def forward(self, x: torch.Tensor, y: torch.Tensor):
        return x + y[1:]
