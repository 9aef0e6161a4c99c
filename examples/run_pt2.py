"""Runs a .pt2 file in Python: run_pt2.py MODEL.pt2 INPUTS.safetensors OUTPUTS.safetensors. Inputs go by their names."""

import sys

import torch
from safetensors.torch import load_file, save_file

model, inputs, outputs = sys.argv[1:]
with torch.no_grad():
    logits = torch.export.load(model).module()(**load_file(inputs))
save_file({"logits": logits.contiguous()}, outputs)
