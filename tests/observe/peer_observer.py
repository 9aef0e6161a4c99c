"""Seeded calls of a model and what torch.onnx.InputObserver makes of them: peer_observer.py FOLDER CASES.

cases.json has the calls and what is inferred, tensors.safetensors the tensors. A value is {"tensor": key}, {"none": true},
{"constant": number or text}, {"list": [...]}, {"tuple": [...]}, {"dict": [[key, value]...]} or {"cache": [keys..., values...]}."""

import json
import random
import re
import sys

import torch
import transformers.integrations.executorch as of_executorch
from safetensors.torch import save_file
from torch.onnx import InputObserver
from torch.utils import _pytree
from transformers import DynamicCache

NAMES = ["x", "y", "z", "items", "cache", "scale", "flag", "mode", "count"]
DEFAULTS = {"scale": 1.0, "flag": False, "mode": "plain", "count": 2}
KINDS = ["plain", "absent", "none", "empty", "nested", "cache", "constants", "scopes", "missing", "positions", "wrong"]
# What an error is about, in words that both sides use.
PHRASES = ["no inputs were captured", "two calls were made with different constant values", "same rank", "at least one call",
           "named arguments", "value_if_missing"]

if not any(kind is DynamicCache for kind in _pytree.SUPPORTED_NODES):
    of_executorch.register_dynamic_cache_export_support()


class Model(torch.nn.Module):
    def forward(self, x=None, y=None, z=None, items=None, cache=None, scale=1.0, flag=False, mode="plain", count=2):
        return x * scale


class Cases:
    def __init__(self):
        self.tensors = {}

    def describe(self, value):
        if isinstance(value, torch.Tensor):
            key = str(len(self.tensors))
            self.tensors[key] = value.clone().contiguous()
            return {"tensor": key}
        if value is None:
            return {"none": True}
        if isinstance(value, DynamicCache):
            return {"cache": [self.describe(leaf) for leaf in _pytree.tree_leaves(value)]}
        if isinstance(value, (list, tuple)):
            return {type(value).__name__: [self.describe(each) for each in value]}
        if isinstance(value, dict):
            return {"dict": [[key, self.describe(each)] for key, each in value.items()]}
        return {"constant": value}


def dims_of(shapes):
    """The dimensions that vary of each leaf, whatever is around them."""
    if isinstance(shapes, dict) and all(isinstance(key, int) for key in shapes):
        return [sorted(shapes)]
    inside = shapes.values() if isinstance(shapes, dict) else shapes
    return [dims for each in inside for dims in dims_of(each)]


def by_name(answer):
    return dict(zip(NAMES, answer)) if isinstance(answer, tuple) else answer


class Maker:
    """Calls of one kind, of sizes that vary or not."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.generator = torch.Generator().manual_seed(seed)
        self.fixed = {}
        self.n_layers = self.random.randint(1, 3)

    def tensor(self, name):
        rank, varies, dtype = self.fixed.setdefault(
            name, (self.random.randint(1, 3), None, self.random.choice([torch.float32, torch.int64, torch.bool])))
        if varies is None:
            varies = [self.random.random() < 0.4 for _ in range(rank)]
            self.fixed[name] = rank, varies, dtype
        sizes = [self.random.randint(1, 40) if each else 3 for each in varies]
        # Sizes that vary are hardly ever those of another input: Ferry would take that one's where a tensor is missing.
        return torch.randint(0, 2 if dtype == torch.bool else 9, sizes, generator=self.generator).to(dtype)

    def items(self):
        return self.fixed.setdefault("form", self.random.choice(["list", "tuple", "dict"])), [
            self.tensor("items0"), (self.tensor("items1"), [self.tensor("items2")])]

    def nested(self):
        form, (first, second) = self.items()
        return {"list": [first, second], "tuple": (first, second), "dict": {"b": first, "a": second}}[form]

    def cache(self, length):
        made = DynamicCache()
        for layer in range(self.n_layers):
            made.update(torch.rand(2, 2, length, 4, generator=self.generator), torch.rand(2, 2, length, 4, generator=self.generator), layer)
        return made

    def call(self, kind, index):
        given = {"x": self.tensor("x"), "y": self.tensor("y")}
        if kind == "absent" and index:
            for name in self.random.sample(["y", "z"], self.random.randint(1, 2)):
                given.pop(name, None)
        elif kind in ("absent", "constants", "scopes", "positions"):
            given["z"] = self.tensor("z")
        if kind == "none":
            given["z"] = None if index % 2 else self.tensor("z")
            given["items"] = [self.tensor("items0"), None if index else self.tensor("items1")]
            if index == 2:
                given["y"] = None
        if kind == "empty":
            given["items"] = {} if index == 1 else {"a": self.tensor("items0")}
            given["z"] = self.tensor("z")[: (0 if index == 2 else 3)]
            if index == 0:
                given.pop("z")
                given["items"] = []
        if kind == "nested" and index != 1:
            given["items"] = self.nested()
        if kind == "cache":
            given["cache"] = self.cache(3 + index) if index else DynamicCache()
        if kind == "constants":
            given |= {"scale": 2.5, "mode": "other", "count": 2, "flag": self.random.random() < 0}
        if kind == "missing":
            given |= {"cache": self.cache(3 + index)} if index else {"z": self.tensor("z")}
        return given


def wrong(maker, seed, calls):
    """One thing that no export could have; gives the values that are missing too."""
    kind = seed // len(KINDS) % 5
    if kind == 0:
        calls[0]["scale"], calls[1]["scale"] = 0.5, 2.0
    if kind == 1:
        calls[0]["z"], calls[1]["items"] = maker.tensor("z"), maker.nested()
    if kind == 2:
        calls[0]["items"], calls[1]["items"] = [maker.tensor("items0")], [maker.tensor("items0")] * 2
    if kind == 3:
        calls[1]["x"] = calls[1]["x"].unsqueeze(0)
    return {"unknown": torch.zeros(2)} if kind == 4 else {}


def error_of(error):
    message = str(error)
    found = [phrase for phrase in PHRASES if phrase in message.lower()]
    for count, before in re.findall(r"has (\d+) tensors but previously got (\d+)", message):
        found.append(f"has {count} tensors but previously got {before} tensors")
    assert found, message
    return found


def run(cases, seed):
    kind, maker = KINDS[seed % len(KINDS)], Maker(seed)
    calls = [maker.call(kind, index) for index in range(maker.random.randint(3, 5))]
    missing = wrong(maker, seed, calls) if kind == "wrong" else {}
    if kind == "missing":
        missing = {"z": maker.tensor("z")[:0]}
    n_positional = maker.random.randint(0, 2 if all("y" in call for call in calls) else 1)
    splits = [n_positional + (kind == "positions" and index > 0) for index in range(len(calls))]
    if kind == "positions":  # more of them by position, and fewer of all
        for index, call in enumerate(calls[1:]):
            call.pop("z")
            splits[index + 1] = 2
    stored = [len(calls)] if kind != "scopes" else [1, 2]
    per_scope = [calls] if kind != "scopes" else [calls[:2], calls[2:]]
    batched = maker.random.choice([None, True, {"x"}, {"y", "z", "cache"}])

    case = {"kind": kind, "names": NAMES, "defaults": {key: cases.describe(value) for key, value in DEFAULTS.items()},
            "missing": {key: cases.describe(value) for key, value in missing.items()},
            "scopes": [{"store": n, "calls": [cases.describe(call) for call in some]}
                       for n, some in zip(stored, per_scope)],
            "batched": sorted(batched) if isinstance(batched, set) else bool(batched)}
    model, observer = Model(), InputObserver(missing)
    at = 0
    try:
        for n, some in zip(stored, per_scope):
            with observer(model, store_n_calls=n):
                for call in some:
                    positional = [call[name] for name in NAMES[: splits[at]]]
                    model.forward(*positional, **{key: value for key, value in call.items() if key not in NAMES[: splits[at]]})
                    at += 1
    except ValueError as error:
        return case | {"error": error_of(error)}
    case["stored"] = observer.num_obs()
    try:
        case["shapes"] = {name: dims_of(each) for name, each in by_name(observer.infer_dynamic_shapes(batched)).items() if each is not None}
        case["arguments"] = [[[name, cases.describe(value)] for name, value in by_name(observer.infer_arguments(index)).items()]
                             for index in [None, *range(observer.num_obs())]]
    except (RuntimeError, NotImplementedError) as error:
        case["error"] = error_of(error)
    return case


def main():
    folder, count = sys.argv[1], int(sys.argv[2])
    cases = Cases()
    made = [run(cases, seed) for seed in range(count)]
    unused = InputObserver()
    try:
        unused.infer_arguments()
    except RuntimeError as error:
        made.append({"kind": "unused", "names": NAMES, "defaults": {}, "missing": {}, "scopes": [], "batched": False, "error": error_of(error)})
    json.dump(made, open(f"{folder}/cases.json", "w"))
    save_file(cases.tensors, f"{folder}/tensors.safetensors")


main()
