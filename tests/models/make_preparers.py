"""What transformers' own input preparers make of seeded inputs: one file for each case, with `model.NAME` (numbers of the model), `in.NAME` and
`out.NAME`. The models have no layers: preparers ask for their attributes and for the module that their class is from."""
import importlib
import pathlib
import random
import sys
import types

import torch
from safetensors.torch import save_file
from transformers.exporters.utils import precompute_export_inputs

CASES = 12  # of each kind


def model_of(module, numbers):
    importlib.import_module(module)
    made = type("Model", (torch.nn.Module,), {"__module__": module})()
    made.config = types.SimpleNamespace(_attn_implementation="flash_attention_2")  # for which `max_seqlen` is computed
    for name, value in numbers.items():
        setattr(made, name, value)
    return made


def grid_case(choose):
    merged = choose.choice([1, 1, 2, 3])
    numbers = {"spatial_merge_size": merged}
    if choose.random() < 0.6:
        numbers["patch_size"] = choose.choice([4, 14])
        numbers["window_size"] = numbers["patch_size"] * merged * choose.choice([1, 2, 3])
    if choose.random() < 0.6:
        numbers |= {"num_grid_per_side": choose.choice([2, 5, 8]), "interpolation_mode": choose.choice(["bilinear", "bicubic"]),
                    "interpolation_padding": choose.choice(["border", "zeros"]), "interpolation_align_corners": choose.random() < 0.5}
    if choose.random() < 0.3:
        numbers["axis_dim"] = 4
    images = [[choose.choice([1, 1, 2, 3]), merged * choose.randint(1, 5), merged * choose.randint(1, 5)] for _ in range(choose.randint(1, 4))]
    return "torch.nn", numbers, {"grid_thw": torch.tensor(images)}


def merge_sizes_case(choose):
    merged = [choose.choice([1, 2]) for _ in range(3)]
    images = [[choose.randint(1, 2), each * choose.randint(1, 4), each * choose.randint(1, 4)] for each in merged]
    return "torch.nn", {}, {"grid_thw": torch.tensor(images), "merge_sizes": torch.tensor(merged)}


def target_case(choose):
    numbers = {"num_patches_per_side": choose.choice([3, 7, 70])}
    size = [2 * choose.randint(1, 5), 2 * choose.randint(1, 5)]
    sizes = [size, size]
    if choose.random() < 0.6:
        numbers["window_kernel_size"] = (2, 2)
    else:
        sizes.append([choose.randint(1, 9), choose.randint(1, 9)])
    return "torch.nn", numbers, {"target_sizes": torch.tensor(sizes)}


def frames_of(choose, chunk):
    return torch.tensor([choose.choice([choose.randint(1, 3 * chunk), chunk, 2 * chunk, choose.randint(1, chunk)]) for _ in range(choose.randint(1, 3))])


def sounds_case(choose):
    n_window = choose.choice([1, 2, 5, 50])
    lengths = frames_of(choose, 2 * n_window)
    return "transformers.models.qwen2_5_omni.modeling_qwen2_5_omni", {"n_window": n_window}, {
        "input_features": torch.rand(3, int(lengths.sum())), "feature_lens": lengths}


def windowed_sounds_case(choose):
    lengths = frames_of(choose, 100)  # transformers knows how many features chunks of this size have
    return "transformers.models.qwen3_omni_moe.modeling_qwen3_omni_moe", {"n_window": 50, "n_window_infer": choose.choice([100, 200, 800])}, {
        "input_features": torch.rand(3, int(lengths.sum())), "feature_lens": lengths}


def masked_sounds_case(choose):
    lengths = [choose.randint(1, 300) for _ in range(choose.randint(1, 3))]
    mask = (torch.arange(300) < torch.tensor(lengths).unsqueeze(1)).long()
    return "torch.nn", {"n_window": 50, "n_window_infer": choose.choice([100, 200, 800])}, {
        "input_features": torch.rand(len(lengths), 3, 300), "input_features_mask": mask}


def tensor_of(value):
    if isinstance(value, str):
        return torch.tensor(value in ("bicubic", "zeros")).long()
    return (value if torch.is_tensor(value) else torch.tensor(value)).contiguous().clone()


folder = pathlib.Path(sys.argv[1])
for kind in (grid_case, merge_sizes_case, target_case, sounds_case, windowed_sounds_case, masked_sounds_case):
    for seed in range(CASES):
        torch.manual_seed(seed)
        module, numbers, given = kind(random.Random(f"{kind.__name__} {seed}"))
        made = dict(given)
        precompute_export_inputs(model_of(module, numbers), made)
        tensors = {f"model.{name}": tensor_of(value).long() for name, value in numbers.items()}
        tensors |= {f"in.{name}": value.clone() for name, value in given.items()}
        tensors |= {f"out.{name}": tensor_of(value) for name, value in made.items() if name not in given and value is not None}
        save_file(tensors, folder / f"{kind.__name__}_{seed}.safetensors")
