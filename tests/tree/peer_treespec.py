"""Compares Ferry's tree specs with those of the real torch.utils._pytree, in both directions.

usage: peer_treespec.py TEST_TREE_PROGRAM
"""

import collections
import dataclasses
import json
import os
import random
import subprocess
import sys
import tempfile

import torch.utils._pytree as pytree

Point = collections.namedtuple("Point", ["x", "y"])
pytree._register_namedtuple(Point, serialized_type_name="__main__.Point")


@dataclasses.dataclass
class Output:
    logits: object
    loss: object = None


pytree.register_dataclass(Output, serialized_type_name="__main__.Output")


class Cache:
    """Flattens as transformers' DynamicCache does: names and a layout in the context."""

    def __init__(self, keys, values, layout):
        self.keys, self.values, self.layout = keys, values, layout


pytree.register_pytree_node(
    Cache,
    lambda cache: ([cache.keys, cache.values], [["key_cache", "value_cache"], cache.layout]),
    lambda values, context: Cache(*values, context[1]),
    serialized_type_name="__main__.Cache",
)


class Custom:
    """Writes its context in a form of its own."""

    def __init__(self, items, note):
        self.items, self.note = items, note


pytree.register_pytree_node(
    Custom,
    lambda custom: (custom.items, custom.note),
    lambda values, context: Custom(list(values), context),
    serialized_type_name="pkg:Custom",
    to_dumpable_context=lambda context: context,
    from_dumpable_context=lambda context: context,
)


class KvCache:
    """What tests/tree/types.hpp registers as my.KvCache."""

    def __init__(self, keys, values, context):
        self.keys, self.values, self.context = keys, values, context


pytree.register_pytree_node(
    KvCache,
    lambda cache: ([cache.keys, cache.values], cache.context),
    lambda values, context: KvCache(*values, context),
    serialized_type_name="my.KvCache",
)

PIECES = ["a", "key", "0", '"', "'", "\\", "\n", "\t", "é", "漢", "😀", "\u200b", "\xa0", "\xad", "\x7f", "\x01", "\ud800", "{", "]", " ", ".", "/"]


def text(rng):
    return "".join(rng.choice(PIECES) for _ in range(rng.randrange(5)))


def constant(rng, depth=2):
    pick = rng.randrange(9 if depth else 7)
    if pick == 7:
        return [constant(rng, depth - 1) for _ in range(rng.randrange(4))]
    if pick == 8:
        return {text(rng): constant(rng, depth - 1) for _ in range(rng.randrange(4))}
    scale = 10.0 ** rng.randrange(-330, 309)
    return [None, rng.random() < 0.5, rng.randrange(-1000, 1000), rng.randrange(10**30), rng.uniform(-1, 1) * scale, text(rng),
            rng.choice([0.0, -0.0, 1.0, 1e15, 1e16, 1e22, 123456789.0, 1e-4, 1e-5, float("inf"), float("-inf")])][pick]


def key(rng):
    return rng.choice([text(rng), text(rng), text(rng), rng.randrange(-5, 100), rng.random(), True, None])


def tree(rng, depth):
    if depth == 0 or rng.random() < 0.25:
        return 0
    children = [tree(rng, depth - 1) for _ in range(rng.randrange(4))]
    named = {key(rng): child for child in children}
    two = [tree(rng, depth - 1), tree(rng, depth - 1)]
    factory = rng.choice([int, list, dict, collections.OrderedDict])
    return rng.choice([
        lambda: children,
        lambda: tuple(children),
        lambda: named,
        lambda: collections.OrderedDict(named),
        lambda: collections.defaultdict(factory, named),
        lambda: collections.deque(children, maxlen=rng.choice([None, 7])),
        lambda: Point(*two),
        lambda: Output(two[0], rng.choice([None, two[1]])),
        lambda: Cache(two[0], two[1], [None, 128]),
        lambda: Custom(children, rng.choice([text(rng), constant(rng)])),
        lambda: KvCache(two[0], two[1], constant(rng)),
    ])()



def prints_alike(spec):
    """str() of a context that its class writes in its own way cannot be told from the text."""
    return not any(isinstance(node, pytree.TreeSpec) and node.type is Custom for node in walk(spec))


def walk(spec):
    yield spec
    for child in spec.children():
        yield from walk(child)


def paths_of(spec):
    """Dotted paths by the rules of transformers' get_leaf_tensors, where Python's own specs know the keys."""
    if spec.is_leaf():
        return [""]
    context = spec.context
    names = {
        dict: lambda: [k if isinstance(k, str) else repr(k) for k in context],
        collections.OrderedDict: lambda: [k if isinstance(k, str) else repr(k) for k in context],
        collections.defaultdict: lambda: [k if isinstance(k, str) else repr(k) for k in context[1]],
    }.get(spec.type, lambda: [str(i) for i in range(spec.num_children)])()
    return [name + ("." + rest if rest or not child.is_leaf() else "")
            for name, child in zip(names, spec.children()) for rest in paths_of(child)]


def main():
    program = sys.argv[1]
    rng = random.Random(20260102)
    values = [tree(rng, rng.randrange(1, 6)) for _ in range(1500)]
    specs = [pytree.tree_structure(value) for value in values]
    texts = [pytree.treespec_dumps(spec) for spec in specs]
    with tempfile.TemporaryDirectory() as folder:
        given, answered = os.path.join(folder, "in"), os.path.join(folder, "out")
        with open(given, "w") as file:
            file.write("".join(line + "\n" for line in texts))
        subprocess.run([program, "--no-skip", "-tc=peer:*"], check=True, stdout=subprocess.DEVNULL,
                       env=dict(os.environ, FERRY_PEER_IN=given, FERRY_PEER_OUT=answered))
        with open(answered) as file:
            answers = [json.loads(line) for line in file]

    parsed = [answer for answer in answers if answer["label"] == "parsed"]
    assert len(parsed) == len(specs), (len(parsed), len(specs))
    printed = pathed = 0
    for spec, dumped, answer in zip(specs, texts, parsed):
        assert answer["dumps"] == dumped, f"{answer['dumps']}\n  is not\n{dumped}"
        assert (answer["num_leaves"], answer["num_nodes"]) == (spec.num_leaves, spec.num_nodes), dumped
        loaded = pytree.treespec_loads(dumped)  # tuples in contexts have become lists
        if prints_alike(spec):
            assert answer["str"] == str(loaded), f"{answer['str']}\n  is not\n{loaded}"
            printed += 1
        if all(node.is_leaf() or node.type in (dict, list, tuple, collections.OrderedDict, collections.defaultdict, collections.deque)
               for node in walk(spec)):
            assert answer["paths"] == paths_of(spec), f"{answer['paths']}\n  is not\n{paths_of(spec)}"
            pathed += 1

    kv = {"max_len": 128, "scale": 0.5, "notes": {"3": "three"}}
    layers = [{"keys": 0, "values": 0}, {"keys": 0, "values": 0}]
    wanted = {
        "leaf": 0,
        "struct": {"input_ids": 0, "mask": None, "past_key_values": layers},
        "vector": [[0], []],
        "array": (0, 0),
        "tuple": (0, (0, 0), ()),
        "map": {"a\"'\né": 0, "b": 0},
        "int map": {-3: None, 7: 0},
        "inputs": {"input_ids": 0, "nested": [0, {"k": 0}]},
        "registered": [KvCache([0], [0, 0], kv)],
    }
    made = {answer["label"]: answer for answer in answers if answer["label"] != "parsed"}
    assert made.keys() == wanted.keys(), made.keys() ^ wanted.keys()
    for label, value in wanted.items():
        spec = pytree.tree_structure(value)
        assert made[label]["dumps"] == pytree.treespec_dumps(spec), f"{label}: {made[label]['dumps']}\n  is not\n{pytree.treespec_dumps(spec)}"
        assert made[label]["str"] == str(spec), f"{label}: {made[label]['str']}\n  is not\n{spec}"
        assert pytree.treespec_loads(made[label]["dumps"]) == spec, label
    print(f"{len(parsed)} specs from Python written back alike, {printed} printed alike, {pathed} with the same paths; "
          f"{len(wanted)} C++ values with the spec of their Python counterparts")


if __name__ == "__main__":
    main()
