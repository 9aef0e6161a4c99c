"""Reads the file that Ferry wrote with the format's own library, compares, and writes the same for Ferry to read."""
import sys

import safetensors
import torch
from safetensors.torch import load_file, save_file


def count(dtype):
    return (torch.arange(12, dtype=torch.float64).view(3, 4) - 5).to(dtype)


sample = {
    "f64": count(torch.float64),
    "f32": count(torch.float32),
    "f16": count(torch.float16),
    "bf16": count(torch.bfloat16),
    "i64": count(torch.int64),
    "i32": count(torch.int32),
    "i16": count(torch.int16),
    "i8": count(torch.int8),
    "u8": torch.arange(12, dtype=torch.uint8),
    "bool": count(torch.float32) > 0,
    "f8": count(torch.float32).to(torch.float8_e4m3fn),
    "scalar": torch.tensor(2.5),
    "empty": torch.empty(3, 0, 2),
    "transposed": torch.arange(6.0).view(2, 3).t().contiguous(),
}
metadata = {"format": "pt", "note": 'a "quoted" \u00fc'}

ours, theirs = sys.argv[1:]
found = load_file(ours)
assert found.keys() == sample.keys(), found.keys()
for name, tensor in sample.items():
    assert found[name].dtype == tensor.dtype and found[name].shape == tensor.shape, name
    assert torch.equal(found[name].double(), tensor.double()), name
with safetensors.safe_open(ours, "pt") as opened:
    assert opened.metadata() == metadata, opened.metadata()
save_file(sample, theirs, metadata)
