"""Tiny language models as transformers writes them, each with what transformers makes of some tokens: expected.safetensors has
`input_ids`, padded on the left, their `attention_mask`, the `logits` of one call, and the `tokens` of a greedy generate."""
import json
import zlib

import torch
import transformers
from safetensors.torch import load_file, save_file

transformers.utils.logging.disable_progress_bar()
transformers.utils.logging.set_verbosity_error()


def make(folder, config, architecture, dtype=torch.float32, **saving):
    """`expected.safetensors` is in float32, for a checkpoint of another dtype too."""
    torch.manual_seed(zlib.crc32(folder.name.encode()))
    folder.mkdir()
    model = getattr(transformers, architecture)(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():  # fresh biases are zero and norms are one: nobody would see them missing
            parameter.add_(torch.randn_like(parameter) * 0.1)
        model.to(dtype).save_pretrained(folder, **saving)
        if dtype != torch.float32:
            model = type(model).from_pretrained(folder, dtype=torch.float32).eval()
        ids, mask = torch.randint(3, config.vocab_size, (2, 9)), torch.ones(2, 9, dtype=torch.long)
        mask[1, :4] = 0
        positions = (mask.cumsum(1) - 1).clamp_min(0)
        logits = model(input_ids=ids, attention_mask=mask, position_ids=positions).logits
        tokens = model.generate(input_ids=ids, attention_mask=mask, do_sample=False, max_new_tokens=20, min_new_tokens=20, eos_token_id=None, pad_token_id=0)
    save_file({"input_ids": ids, "attention_mask": mask, "logits": logits, "tokens": tokens}, folder / "expected.safetensors")


def rewrite_config(folder, change):
    path = folder / "config.json"
    path.write_text(json.dumps(change(json.loads(path.read_text()))))


def rewrite_weights(folder, change):
    path = folder / "model.safetensors"
    save_file(change(load_file(path)), path, {"format": "pt"})
