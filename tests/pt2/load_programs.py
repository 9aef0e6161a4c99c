"""Loads each .pt2 of a folder with torch.export.load, runs its module, and compares with what the .safetensors beside it says."""
import glob
import sys
import traceback

import feature_modules  # registers an op  # noqa: F401
import torch
import transformers.integrations.moe  # the same  # noqa: F401
from safetensors.torch import load_file
from torch.export.graph_signature import ConstantArgument, InputKind
from torch.utils import _pytree as pytree

failed = []
files = sorted(glob.glob(f"{sys.argv[1]}/*.pt2"))
for path in files:
    try:
        expected = load_file(path.replace(".pt2", ".safetensors"))
        program = torch.export.load(path)
        user = [spec.arg for spec in program.graph_signature.input_specs if spec.kind == InputKind.USER_INPUT]
        example = pytree.tree_leaves(program.example_inputs)
        module = program.module()
        for number in range(2):
            inputs = []
            while f"{number}.in.{len(inputs)}" in expected:
                inputs.append(expected[f"{number}.in.{len(inputs)}"].clone())
            tensors = iter(inputs)
            # What is no tensor is what it was in the export.
            flat = [arg.value if isinstance(arg, ConstantArgument) else leaf if isinstance(leaf, int) else next(tensors) for arg, leaf in zip(user, example)]
            args, kwargs = pytree.tree_unflatten(flat, program.call_spec.in_spec)
            with torch.no_grad():
                results = pytree.tree_leaves(module(*args, **kwargs))
            for position, result in enumerate(results):
                if result is None:
                    continue
                wanted = expected[f"{number}.out.{position}"]
                result = torch.as_tensor(result)
                assert result.dtype == wanted.dtype, (number, position, result.dtype, wanted.dtype)
                tolerance = 1e-2 if wanted.dtype in (torch.bfloat16, torch.float16) else 1e-5
                torch.testing.assert_close(result, wanted, rtol=tolerance, atol=tolerance, equal_nan=True)
            assert f"{number}.out.{len(results)}" not in expected
            for position, tensor in enumerate(inputs):
                torch.testing.assert_close(tensor, expected[f"{number}.after.{position}"])
    except Exception:
        failed.append(path.rsplit("/", 1)[1])
        print("FAILED", failed[-1])
        print(traceback.format_exc()[-700:])
print(f"{len(files) - len(failed)} of {len(files)} programs are right in Python; failed: {failed}")
sys.exit(bool(failed) or not files)
