"""Python's side of bench/generation.cpp: checkpoints, and export_for_generation of transformers; prints one line of JSON."""

import json
import pathlib
import resource
import sys
import time
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "build" / "lowering")]

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, LlamaForCausalLM
from transformers.utils import logging

warnings.filterwarnings("ignore")
logging.set_verbosity_error()
logging.disable_progress_bar()

SIZES = {"tiny": {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "vocab_size": 1000},
         "large": {"hidden_size": 2048, "intermediate_size": 5504, "num_hidden_layers": 4, "vocab_size": 8000}}  # 1 GB


def make(size, folder):
    torch.manual_seed(1)
    LlamaForCausalLM(LlamaConfig(**SIZES[size], num_attention_heads=4, num_key_value_heads=2)).save_pretrained(folder)


def exporter(form):
    from transformers import exporters

    name = {"dynamo": "Dynamo", "onnx": "Onnx", "executorch": "Executorch"}[form]
    return getattr(exporters, f"{name}Exporter")(), getattr(exporters, f"{name}Config")(dynamic=True)


def save(form, artifact, path):
    if form == "dynamo":
        torch.export.save(artifact, f"{path}.pt2")
    else:
        artifact.save(f"{path}.{'onnx' if form == 'onnx' else 'pte'}")


def export(form, checkpoint, folder):
    """With reading the checkpoint and writing the files; imports take no part in the time."""
    exports, config = exporter(form)
    ids = torch.ones(2, 7, dtype=torch.long)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    with torch.no_grad():
        model = AutoModelForCausalLM.from_pretrained(checkpoint).eval()
        for name, artifact in exports.export_for_generation(model, {"input_ids": ids, "attention_mask": ids}, config).items():
            save(form, artifact, pathlib.Path(folder, name))
    seconds = time.perf_counter() - start
    return {"least": seconds, "kilobytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, "kilobytes_before": before}


print(json.dumps({"make": make, "export": export}[sys.argv[1]](*sys.argv[2:])))
