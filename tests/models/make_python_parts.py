"""prefill.pt2 and decode.pt2 as transformers' export_for_generation makes them, and the tokens that they stand for, in a folder `llama`."""
import pathlib
import sys

import torch
import transformers
from safetensors.torch import save_file
from transformers.exporters import DynamoConfig, DynamoExporter

transformers.utils.logging.set_verbosity_error()
folder = pathlib.Path(sys.argv[1], "llama")
folder.mkdir()
torch.manual_seed(3)
config = transformers.LlamaConfig(hidden_size=32, intermediate_size=48, num_hidden_layers=1, num_attention_heads=4, num_key_value_heads=2, vocab_size=97)
model = transformers.LlamaForCausalLM(config).eval()


def prompt(batch, length, padding):
    ids, mask = torch.randint(3, 97, (batch, length)), torch.ones(batch, length, dtype=torch.long)
    mask[0, :padding] = 0
    return {"input_ids": ids, "attention_mask": mask}


for name, program in DynamoExporter().export_for_generation(model, prompt(2, 7, 2), DynamoConfig(dynamic=True)).items():
    torch.export.save(program, folder / f"{name}.pt2")
given = prompt(3, 9, 4)
tokens = model.generate(**given, do_sample=False, max_new_tokens=20, min_new_tokens=20, eos_token_id=None, pad_token_id=0)
save_file({**given, "tokens": tokens}, folder / "expected.safetensors")
