"""What Python's DynamoExporter takes for the architecture of bench/llama.hpp; prints one line of JSON."""

import json
import resource
import sys
import time
import warnings

import torch
from transformers import LlamaConfig, LlamaForCausalLM
from transformers.exporters import DynamoConfig, DynamoExporter
from transformers.utils import logging

warnings.filterwarnings("ignore")
logging.set_verbosity_error()


def main(layers: int) -> None:
    config = LlamaConfig(hidden_size=64, intermediate_size=128, num_hidden_layers=layers, num_attention_heads=4,
                         num_key_value_heads=2, vocab_size=1000, use_cache=False)
    model = LlamaForCausalLM(config).eval()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    times = []
    for _ in range(2):
        inputs = {"input_ids": torch.ones(2, 7, dtype=torch.long), "attention_mask": torch.ones(2, 7, dtype=torch.long)}
        start = time.perf_counter()
        with torch.no_grad():
            program = DynamoExporter().export(model, inputs, DynamoConfig(dynamic=True))
        times.append(time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"first": times[0], "least": min(times), "nodes": len(program.graph.nodes), "kilobytes": peak, "kilobytes_before": before}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
