"""Tiny state space models as transformers writes them, in folders, each with what transformers makes of some tokens: expected.safetensors has
`input_ids`, padded on the left, their `attention_mask`, the `logits` of one call, and the `tokens` of a greedy generate."""
import pathlib
import sys

import torch
import transformers
from safetensors.torch import save_file

SIZES = {"hidden_size": 32, "state_size": 8, "num_hidden_layers": 3, "vocab_size": 97}

CASES = {
    "mamba": {},
    "mamba_untied": {"tie_word_embeddings": False, "expand": 3, "conv_kernel": 3, "time_step_rank": 5},
    "mamba_biased": {"use_bias": True, "use_conv_bias": False, "hidden_act": "gelu", "layer_norm_epsilon": 1e-3},
    "mamba_narrow": {"expand": 1, "conv_kernel": 1, "state_size": 3, "hidden_size": 20, "residual_in_fp32": False},
}


def make(folder, options):
    torch.manual_seed(len(folder.name))
    model = transformers.MambaForCausalLM(transformers.MambaConfig(**{**SIZES, **options})).eval()
    with torch.no_grad():
        for parameter in model.parameters():  # fresh biases are zero and norms are one: nobody would see them missing
            parameter.add_(torch.randn_like(parameter) * 0.2)
        model.save_pretrained(folder)
        ids, mask = torch.randint(3, 97, (2, 9)), torch.ones(2, 9, dtype=torch.long)
        mask[1, :4] = 0
        logits = model(input_ids=ids, attention_mask=mask).logits
        tokens = model.generate(input_ids=ids, attention_mask=mask, do_sample=False, max_new_tokens=20, min_new_tokens=20, eos_token_id=None, pad_token_id=0)
    save_file({"input_ids": ids, "attention_mask": mask, "logits": logits, "tokens": tokens}, folder / "expected.safetensors")


transformers.utils.logging.disable_progress_bar()
transformers.utils.logging.set_verbosity_error()
for case, options in CASES.items():
    path = pathlib.Path(sys.argv[1], case)
    path.mkdir()
    make(path, options)
