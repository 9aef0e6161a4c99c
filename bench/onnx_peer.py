"""Python's side of bench/onnx.cpp, OnnxExporter of transformers, and ONNX Runtime for both; prints one line of JSON."""

import json
import os
import resource
import sys
import time
import warnings

import torch

warnings.filterwarnings("ignore")


def export(layers, path):
    from transformers import LlamaConfig, LlamaForCausalLM
    from transformers.exporters import OnnxConfig, OnnxExporter
    from transformers.utils import logging

    logging.set_verbosity_error()
    config = LlamaConfig(hidden_size=64, intermediate_size=128, num_hidden_layers=layers, num_attention_heads=4, num_key_value_heads=2,
                         vocab_size=1000, use_cache=False)
    model = LlamaForCausalLM(config).eval()
    inputs = {"input_ids": torch.ones(2, 7, dtype=torch.long), "attention_mask": torch.ones(2, 7, dtype=torch.long)}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    with torch.no_grad():
        OnnxExporter().export(model, inputs, OnnxConfig(dynamic=True, output_path=path))
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"first": seconds, "least": seconds, "kilobytes": peak, "kilobytes_before": before}


def describe(path):
    """Nodes, bytes on disk with the weights beside, and what a run takes at a batch of 4 and 64 tokens."""
    import onnx
    import onnxruntime

    folder, name = os.path.split(path)
    size = sum(os.path.getsize(os.path.join(folder, each)) for each in os.listdir(folder) if each.startswith(name))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options)
    given = {"input_ids": torch.randint(0, 1000, (4, 64)).numpy(), "attention_mask": torch.ones(4, 64, dtype=torch.long).numpy()}
    times = []
    for _ in range(30):
        start = time.perf_counter()
        session.run(None, given)
        times.append(time.perf_counter() - start)
    return {"nodes": len(onnx.load(path, load_external_data=False).graph.node), "bytes": size, "latency": min(times)}


if __name__ == "__main__":
    verb, *words = sys.argv[1:]
    print(json.dumps(export(int(words[0]), words[1]) if verb == "export" else describe(words[0])))
