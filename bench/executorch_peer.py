"""Python's side of bench/executorch.cpp, ExecutorchExporter of transformers and executorch's own lowering, and the runtime for both; prints one line of
JSON."""

import json
import os
import pathlib
import resource
import sys
import time
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "build" / "lowering"), str(ROOT / "examples")]

import torch

warnings.filterwarnings("ignore")


def measured(function, path):
    """How long it takes, with writing the file."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    with torch.no_grad():
        function().save(path)
    seconds = time.perf_counter() - start
    return {"least": seconds, "kilobytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, "kilobytes_before": before}


def llama(layers, path):
    from transformers import LlamaConfig, LlamaForCausalLM
    from transformers.exporters import ExecutorchConfig, ExecutorchExporter
    from transformers.utils import logging

    logging.set_verbosity_error()
    config = LlamaConfig(hidden_size=64, intermediate_size=128, num_hidden_layers=layers, num_attention_heads=4, num_key_value_heads=2,
                         vocab_size=1000, use_cache=False)
    model = LlamaForCausalLM(config).eval()
    inputs = {"input_ids": torch.ones(2, 7, dtype=torch.long), "attention_mask": torch.ones(2, 7, dtype=torch.long)}
    return measured(lambda: ExecutorchExporter().export(model, inputs, ExecutorchConfig(dynamic=True)), path)


class Convolutions(torch.nn.Module):
    """As a small residual net has them."""

    def __init__(self, channels=64, blocks=4):
        super().__init__()
        norm = torch.nn.BatchNorm2d
        self.first = torch.nn.Sequential(torch.nn.Conv2d(3, channels, 7, 2, 3, bias=False), norm(channels), torch.nn.ReLU(), torch.nn.MaxPool2d(3, 2, 1))
        self.blocks = torch.nn.ModuleList(
            torch.nn.Sequential(torch.nn.Conv2d(channels, channels, 3, 1, 1, bias=False), norm(channels), torch.nn.ReLU(),
                                torch.nn.Conv2d(channels, channels, 3, 1, 1, bias=False), norm(channels)) for _ in range(blocks))
        self.head = torch.nn.Linear(channels, 100)

    def forward(self, x):
        x = self.first(x)
        for block in self.blocks:
            x = torch.relu(x + block(x))
        return self.head(torch.nn.functional.adaptive_avg_pool2d(x, 1).flatten(1))


class Cached(torch.nn.Module):
    """A block that keeps its keys and values from run to run."""

    def __init__(self, width=256, heads=8, positions=128):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (torch.nn.Linear(width, width) for _ in range(4))
        self.inner = torch.nn.Sequential(torch.nn.Linear(width, 4 * width), torch.nn.GELU(), torch.nn.Linear(4 * width, width))
        self.first_norm, self.second_norm = torch.nn.LayerNorm(width), torch.nn.LayerNorm(width)
        for name in ("keys", "values"):
            self.register_buffer(name, torch.zeros(1, heads, positions, width // heads))

    def forward(self, x, position):
        y = self.first_norm(x)
        by_head = lambda each: each.view(1, 1, self.heads, -1).transpose(1, 2)
        self.keys.index_copy_(2, position, by_head(self.key(y)))
        self.values.index_copy_(2, position, by_head(self.value(y)))
        mask = (torch.arange(self.keys.shape[2]) <= position).view(1, 1, 1, -1)
        seen = torch.nn.functional.scaled_dot_product_attention(by_head(self.query(y)), self.keys, self.values, attn_mask=mask)
        x = x + self.out(seen.transpose(1, 2).reshape(1, 1, -1))
        return x + self.inner(self.second_norm(x))


NETS = {"convolutions": (Convolutions, (torch.ones(1, 3, 96, 96),)), "cache": (Cached, (torch.ones(1, 1, 256), torch.tensor([3])))}


def net(name, program, path):
    """A program as a .pt2 file, and what Python makes of it."""
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import to_edge_transform_and_lower

    torch.manual_seed(0)
    make, inputs = NETS[name]
    model = make().eval().requires_grad_(False)
    with torch.no_grad():
        exported = torch.export.export(model, inputs)
    torch.export.save(exported, program)
    return measured(lambda: to_edge_transform_and_lower(exported, partitioner=[XnnpackPartitioner()]).to_executorch(), path)


def describe(name, *paths):
    """Bytes on disk, and what a run takes, in turns; of a file that the runtime does not load, nothing."""
    from executorch_runtime import load

    inputs = NETS[name][1] if name in NETS else (torch.randint(0, 1000, (4, 64)), torch.ones(4, 64, dtype=torch.long))
    methods = {}
    for path in paths:
        try:
            methods[path] = load(path)
        except RuntimeError as error:
            print(f"{path}: {error}", file=sys.stderr)
    times = {path: [] for path in methods}
    for _ in range(30):
        for path, method in methods.items():
            start = time.perf_counter()
            method.forward(list(inputs))
            times[path].append(time.perf_counter() - start)
    return [{"bytes": os.path.getsize(path), "latency": min(times[path]) if path in times else None} for path in paths]


if __name__ == "__main__":
    verb, *words = sys.argv[1:]
    print(json.dumps({"llama": lambda: llama(int(words[0]), words[1]), "net": lambda: net(*words), "describe": lambda: describe(*words)}[verb]()))
