"""Python's side of bench/files.cpp: torch.export.load and torch.export.save; prints one line of JSON."""

import json
import resource
import sys
import time
import warnings

import torch

warnings.filterwarnings("ignore")


def peak_kilobytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def measure(runs, work):
    before, times = peak_kilobytes(), []
    for run in range(runs):
        start = time.perf_counter()
        program = work()
        times.append(time.perf_counter() - start)
        after = peak_kilobytes() if run == 0 else after
        nodes = len(program.graph.nodes)
        del program
    print(json.dumps({"first": times[0], "least": min(times), "nodes": nodes, "kilobytes": after, "kilobytes_before": before}))


def export_llama(layers, path):
    from transformers import LlamaConfig, LlamaForCausalLM
    from transformers.exporters import DynamoConfig, DynamoExporter

    config = LlamaConfig(hidden_size=64, intermediate_size=128, num_hidden_layers=layers, num_attention_heads=4, num_key_value_heads=2,
                         vocab_size=1000, use_cache=False)
    inputs = {"input_ids": torch.ones(2, 7, dtype=torch.long), "attention_mask": torch.ones(2, 7, dtype=torch.long)}
    with torch.no_grad():
        program = DynamoExporter().export(LlamaForCausalLM(config).eval(), inputs, DynamoConfig(dynamic=True))
    torch.export.save(program, path)


def main(verb, *words):
    if verb == "export":
        export_llama(int(words[0]), words[1])
    elif verb == "again":
        torch.export.save(torch.export.load(words[0]), words[1])
    else:
        # Of what transformers exports, the outputs are classes of its own.
        import transformers.modeling_outputs  # noqa: F401

        if verb == "load":
            measure(int(words[1]), lambda: torch.export.load(words[0]))
        else:
            program = torch.export.load(words[0])

            def save():
                torch.export.save(program, words[1])
                return program

            measure(int(words[2]), save)


if __name__ == "__main__":
    main(*sys.argv[1:])
