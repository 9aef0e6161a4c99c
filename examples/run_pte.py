"""Runs the demonstration's .pte file in ExecuTorch's runtime: python run_pte.py MODEL INPUTS RESULT, the latter two .safetensors."""
import sys

from safetensors.torch import load_file, save_file

from executorch_runtime import load

model, inputs, result = sys.argv[1:]
given = load_file(inputs)
(logits,) = load(model).forward([given["input_ids"], given["attention_mask"]])
save_file({"logits": logits.clone()}, result)
