"""Exports each feature module with torch.export, and writes what eager gives: <name>.pt2 and <name>.safetensors, with the keys
<case>.in.<position> and <case>.out.<position> among the tensors of inputs and all leaves of outputs; and <name>.json, what
run_decompositions() makes of writes in place: a list of kinds and targets."""
import copy
import json
import sys
import traceback

import torch
from safetensors.torch import save_file
from torch.utils import _pytree as pytree

from feature_modules import DECOMPOSED, FEATURES



def gradients(module, args, kwargs):
    """Of the sum of all results that have any, by the example's inputs: grad.<position>. Nothing where eager has none."""
    inputs = [leaf for leaf in pytree.tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)]
    for leaf in inputs:
        if leaf.is_floating_point():
            leaf.requires_grad_()
    try:
        results = [leaf for leaf in pytree.tree_leaves(module(*args, **kwargs)) if isinstance(leaf, torch.Tensor)]
        sum(leaf.sum() for leaf in results if leaf.requires_grad and leaf.dtype == torch.float32).backward()
    except (RuntimeError, AttributeError):
        return {}
    return {f"grad.{position}": leaf.grad.contiguous() for position, leaf in enumerate(inputs) if leaf.grad is not None}


folder, names = sys.argv[1], sys.argv[2:]
failed = []
for name, make in FEATURES.items():
    if names and name not in names:
        continue
    try:
        torch.manual_seed(1)
        module, sample, other, shapes = make()
        cases = [case if len(case) == 2 and isinstance(case[1], dict) and isinstance(case[0], tuple) else (case, {}) for case in (sample, other)]
        program = torch.export.export(module, *copy.deepcopy(cases[0]), dynamic_shapes=shapes)
        decomposed = program.run_decompositions(None if name in DECOMPOSED else {})
        mutations = [(spec.kind.name, spec.target) for spec in decomposed.graph_signature.output_specs if spec.kind.name != "USER_OUTPUT"]
        with open(f"{folder}/{name}.json", "w") as file:
            json.dump(mutations, file)
        torch.export.save(decomposed if name in DECOMPOSED else program, f"{folder}/{name}.pt2")
        eager, tensors = copy.deepcopy(module), {}
        for number, (args, kwargs) in enumerate(cases):
            flat = [leaf for leaf in pytree.tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)]
            for position, leaf in enumerate(flat):
                tensors[f"{number}.in.{position}"] = leaf.detach().clone().contiguous()
            with torch.no_grad():
                results = pytree.tree_leaves(eager(*args, **kwargs))
            for position, leaf in enumerate(results):
                if leaf is not None:
                    tensors[f"{number}.out.{position}"] = torch.as_tensor(leaf).detach().clone().contiguous()
            for position, leaf in enumerate(flat):
                tensors[f"{number}.after.{position}"] = leaf.detach().clone().contiguous()
        tensors.update(gradients(copy.deepcopy(module), *copy.deepcopy(cases[0])))
        save_file(tensors, f"{folder}/{name}.safetensors")
    except Exception:
        failed.append(name)
        print("FAILED", name)
        traceback.print_exc(limit=-2)
print(f"{len(failed)} failed: {failed}")
sys.exit(bool(failed))
