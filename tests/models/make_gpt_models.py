"""Tiny checkpoints of the GPT family, as causal_checkpoints.py makes them."""
import pathlib
import sys

import torch
from transformers import GPT2Config, GPTJConfig, GPTNeoXConfig

from causal_checkpoints import make, rewrite_config, rewrite_weights

SIZES = {"n_embd": 32, "n_layer": 3, "n_head": 4, "n_positions": 40, "vocab_size": 97}
NEOX = {"hidden_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 48, "vocab_size": 97}
GPT2, GPTJ, NEOX_LM = "GPT2LMHeadModel", "GPTJForCausalLM", "GPTNeoXForCausalLM"

CASES = {
    "gpt2": (GPT2Config(**SIZES), GPT2),
    "gpt2_scaled": (GPT2Config(**SIZES, n_inner=40, scale_attn_by_inverse_layer_idx=True, activation_function="relu", tie_word_embeddings=False), GPT2),
    "gpt2_unscaled": (GPT2Config(**{**SIZES, "n_head": 2}, scale_attn_weights=False, layer_norm_epsilon=1e-3, reorder_and_upcast_attn=True), GPT2),
    "gpt2_older": (GPT2Config(**SIZES), GPT2),
    "gpt2_half": (GPT2Config(**SIZES), GPT2, torch.bfloat16),
    "gptj": (GPTJConfig(**SIZES, rotary_dim=4), GPTJ),
    "gptj_tied": (GPTJConfig(**SIZES, rotary_dim=8, n_inner=40, tie_word_embeddings=True, activation_function="silu"), GPTJ),
    "gpt_neox": (GPTNeoXConfig(**NEOX), NEOX_LM),
    "gpt_neox_in_turn": (GPTNeoXConfig(**NEOX, use_parallel_residual=False, attention_bias=False, tie_word_embeddings=True, rotary_pct=0.5), NEOX_LM),
    "gpt_neox_linear": (GPTNeoXConfig(**NEOX, hidden_act="gelu_fast", layer_norm_eps=1e-3, rope_parameters={
        "rope_type": "linear", "factor": 2.0, "rope_theta": 500.0, "partial_rotary_factor": 1.0}), NEOX_LM),
    "gpt_neox_older": (GPTNeoXConfig(**NEOX, rotary_pct=0.75, rotary_emb_base=500), NEOX_LM),
}


def with_buffers(tensors, attention):
    mask = torch.ones(1, 1, 40, 40, dtype=torch.bool).tril()
    for i in range(3):
        tensors[attention.format(i) + ".bias"] = mask.clone()
        tensors[attention.format(i) + ".masked_bias"] = torch.tensor(-1e9)
    return tensors


folder = pathlib.Path(sys.argv[1])
for case, what in CASES.items():
    make(folder / case, *what)

# The first checkpoints: no prefix, and with the masks.
rewrite_weights(folder / "gpt2_older", lambda tensors: with_buffers({key.removeprefix("transformer."): value for key, value in tensors.items()}, "h.{}.attn"))
rewrite_config(folder / "gpt2_older", lambda fields: {**fields, "n_ctx": 40, "task_specific_params": {"text-generation": {"do_sample": True}}})
rewrite_weights(folder / "gpt_neox_older", lambda tensors: with_buffers(tensors, "gpt_neox.layers.{}.attention"))
rewrite_config(folder / "gpt_neox_older", lambda fields: {**{key: value for key, value in fields.items() if key != "rope_parameters"}, "rotary_pct": 0.75, "rotary_emb_base": 500})
