"""Tiny checkpoints of language models, as causal_checkpoints.py makes them."""
import pathlib
import sys

import transformers

from causal_checkpoints import make, rewrite_config

SIZES = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 3, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 97,
         "pad_token_id": 0}
ROPE = {"rope_theta": 5000.0}
LLAMA3 = {**ROPE, "rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 3.0, "original_max_position_embeddings": 64}
YARN = {**ROPE, "rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16, "beta_fast": 2.0}
LONGROPE = {"rope_type": "longrope", "short_factor": [1.0, 1.5, 2.0], "long_factor": [1.5, 2.0, 3.0]}
GEMMA_ROPE = {"full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 3000.0}, "sliding_attention": {"rope_type": "default", "rope_theta": 500.0}}

# The class, what its config has beyond the sizes, and how it is saved.
CASES = {
    "llama": ("Llama", {}, {}),
    "llama_tied": ("Llama", {"tie_word_embeddings": True, "head_dim": 12, "rope_parameters": LLAMA3}, {}),
    "llama_biased": ("Llama", {"attention_bias": True, "mlp_bias": True, "hidden_act": "gelu", "num_key_value_heads": 4, "rms_norm_eps": 1e-3}, {}),
    "llama_in_parts": ("Llama", {"rope_parameters": {**ROPE, "rope_type": "linear", "factor": 2.0}}, {"max_shard_size": "20KB"}),
    "llama_yarn": ("Llama", {"rope_parameters": YARN, "max_position_embeddings": 64}, {}),
    "llama_dynamic": ("Llama", {"rope_parameters": {**ROPE, "rope_type": "dynamic", "factor": 3.0}, "max_position_embeddings": 12}, {}),
    "mistral": ("Mistral", {"sliding_window": 4}, {}),
    "mistral_crossed": ("Mistral", {"sliding_window": 12}, {}),
    "mistral_without_window": ("Mistral", {"sliding_window": None, "head_dim": 6}, {}),
    "qwen2": ("Qwen2", {"use_sliding_window": True, "sliding_window": 3, "max_window_layers": 1}, {}),
    "qwen2_tied": ("Qwen2", {"tie_word_embeddings": True}, {}),
    "qwen2_older": ("Qwen2", {"rope_parameters": LLAMA3, "use_sliding_window": True, "sliding_window": 4, "max_window_layers": 2}, {}),
    "qwen3": ("Qwen3", {"head_dim": 16}, {}),
    "qwen3_biased": ("Qwen3", {"head_dim": 8, "attention_bias": True}, {}),
    "gemma": ("Gemma", {"head_dim": 12, "attention_bias": True, "hidden_act": "relu", "tie_word_embeddings": False}, {}),
    "gemma_older": ("Gemma", {"head_dim": 8, "rope_parameters": ROPE}, {}),
    "gemma2": ("Gemma2", {"head_dim": 12, "query_pre_attn_scalar": 5, "sliding_window": 4, "attn_logit_softcapping": 2.0, "final_logit_softcapping": 4.0}, {}),
    "gemma2_uncapped": ("Gemma2", {"head_dim": 8, "sliding_window": 3, "attn_logit_softcapping": None, "final_logit_softcapping": None}, {}),
    "gemma3": ("Gemma3", {"head_dim": 12, "sliding_window": 4, "layer_types": ["full_attention", "sliding_attention", "full_attention"],
                          "rope_parameters": GEMMA_ROPE, "final_logit_softcapping": 4.0}, {}),
    "gemma3_crossed": ("Gemma3", {"head_dim": 12, "sliding_window": 12, "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
                                  "rope_parameters": GEMMA_ROPE}, {}),
    "gemma3_older": ("Gemma3", {"head_dim": 8, "sliding_window": 4, "sliding_window_pattern": 2, "rope_parameters": GEMMA_ROPE}, {}),
    "phi3": ("Phi3", {"rope_parameters": {**LONGROPE, "partial_rotary_factor": 0.75}, "max_position_embeddings": 32, "original_max_position_embeddings": 8}, {}),
    "phi3_older": ("Phi3", {"rope_parameters": {**LONGROPE, "partial_rotary_factor": 0.75}, "max_position_embeddings": 64,
                            "original_max_position_embeddings": 48, "sliding_window": 5}, {}),
    "olmo2": ("Olmo2", {"attention_bias": True, "rms_norm_eps": 1e-3}, {}),
    "granite": ("Granite", {"embedding_multiplier": 3.0, "attention_multiplier": 0.2, "residual_multiplier": 0.4, "logits_scaling": 0.7}, {}),
    "smollm3": ("SmolLM3", {"no_rope_layer_interval": 2, "use_sliding_window": True, "sliding_window": 4}, {}),
    "smollm3_unturned": ("SmolLM3", {"no_rope_layers": [0, 1, 0], "mlp_bias": True, "attention_bias": True, "tie_word_embeddings": False}, {}),
    "starcoder2": ("Starcoder2", {"sliding_window": 4}, {}),
    "starcoder2_unbiased": ("Starcoder2", {"use_bias": False, "tie_word_embeddings": False, "norm_epsilon": 1e-2}, {}),
    "glm": ("Glm", {"head_dim": 12, "rope_parameters": {**ROPE, "partial_rotary_factor": 1.0}}, {}),
    "glm4": ("Glm4", {"head_dim": 12, "attention_bias": False}, {}),
}

# As older versions of transformers wrote them: without some fields, with others.
NEWER_FIELDS = ("rope_parameters", "dtype", "layer_types", "_sliding_window_pattern", "original_max_position_embeddings")
OLDER_FIELDS = {
    "qwen2_older": {"rope_theta": 5000.0, "rope_scaling": {key: value for key, value in LLAMA3.items() if key != "rope_theta"}, "torch_dtype": "float32",
                    "use_mrope": False, "_attn_implementation_autoset": True},
    "gemma_older": {"rope_theta": 5000.0, "hidden_act": "gelu", "hidden_activation": None, "attn_implementation": "sdpa"},
    "gemma3_older": {"rope_theta": 3000.0, "rope_local_base_freq": 500.0, "rope_scaling": {"rope_type": "linear", "factor": 8.0}, "sliding_window_pattern": 2,
                     "cache_implementation": "hybrid"},
    "phi3_older": {"rope_theta": 10000.0, "rope_scaling": {**LONGROPE, "type": "su"}, "partial_rotary_factor": 0.75, "original_max_position_embeddings": 48},
}
del OLDER_FIELDS["phi3_older"]["rope_scaling"]["rope_type"]


for case, (name, options, saving) in CASES.items():
    folder = pathlib.Path(sys.argv[1], case)
    config = getattr(transformers, "Gemma3TextConfig" if name == "Gemma3" else f"{name}Config")(**{**SIZES, **options})
    make(folder, config, f"{name}ForCausalLM", **saving)
    if case in OLDER_FIELDS:
        rewrite_config(folder, lambda written: {key: value for key, value in written.items() if key not in NEWER_FIELDS} | OLDER_FIELDS[case])
