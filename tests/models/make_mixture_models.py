"""Tiny checkpoints of mixtures of experts, as causal_checkpoints.py makes them."""
import pathlib
import sys

import torch
from transformers import MixtralConfig, Qwen3MoeConfig

from causal_checkpoints import make

SIZES = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 3, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 97}
MIXTRAL, QWEN3_MOE = "MixtralForCausalLM", "Qwen3MoeForCausalLM"
QWEN = {**SIZES, "moe_intermediate_size": 24, "num_experts": 6, "num_experts_per_tok": 2}

# The config, the class, and how it is saved: each expert with its own matrices, or all experts in one tensor.
CASES = {
    "mixtral": (MixtralConfig(**SIZES, num_local_experts=4), MIXTRAL, {}),
    "mixtral_stacked": (MixtralConfig(**SIZES, num_local_experts=5, num_experts_per_tok=3, sliding_window=4, hidden_act="gelu"), MIXTRAL, {"save_original_format": False}),
    "mixtral_half": (MixtralConfig(**SIZES, num_local_experts=4, num_experts_per_tok=1, tie_word_embeddings=True), MIXTRAL, {"dtype": torch.bfloat16}),
    "qwen3_moe": (Qwen3MoeConfig(**QWEN, norm_topk_prob=True, head_dim=16, decoder_sparse_step=2), QWEN3_MOE, {}),
    "qwen3_moe_stacked": (Qwen3MoeConfig(**QWEN, mlp_only_layers=[1], attention_bias=True, head_dim=8), QWEN3_MOE, {"save_original_format": False}),
    "qwen3_moe_window": (Qwen3MoeConfig(**QWEN, use_sliding_window=True, sliding_window=3), QWEN3_MOE, {}),
}

for case, (config, architecture, saving) in CASES.items():
    make(pathlib.Path(sys.argv[1], case), config, architecture, **saving)
