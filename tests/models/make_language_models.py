"""Tiny checkpoints as transformers writes them, in folders, each with what transformers makes of some tokens: expected.safetensors has
`input_ids`, padded on the left, their `attention_mask`, the `logits` of one call, and the `tokens` of a greedy generate."""
import json
import pathlib
import sys

import torch
import transformers
from safetensors.torch import save_file

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


def make(folder, name, options, saving):
    torch.manual_seed(len(folder.name))
    config_name = "Gemma3TextConfig" if name == "Gemma3" else f"{name}Config"
    config = getattr(transformers, config_name)(**{**SIZES, **options})
    model = getattr(transformers, f"{name}ForCausalLM")(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():  # fresh biases are zero and norms are one: nobody would see them missing
            parameter.add_(torch.randn_like(parameter) * 0.1)
        model.save_pretrained(folder, **saving)
        ids, mask = torch.randint(3, 97, (2, 9)), torch.ones(2, 9, dtype=torch.long)
        mask[1, :4] = 0
        positions = (mask.cumsum(1) - 1).clamp_min(0)
        logits = model(input_ids=ids, attention_mask=mask, position_ids=positions).logits
        tokens = model.generate(input_ids=ids, attention_mask=mask, do_sample=False, max_new_tokens=20, min_new_tokens=20, eos_token_id=None, pad_token_id=0)
    if folder.name in OLDER_FIELDS:
        path = folder / "config.json"
        written = {key: value for key, value in json.loads(path.read_text()).items() if key not in NEWER_FIELDS}
        path.write_text(json.dumps({**written, **OLDER_FIELDS[folder.name]}))
    save_file({"input_ids": ids, "attention_mask": mask, "logits": logits, "tokens": tokens}, folder / "expected.safetensors")


torch.set_num_threads(1)
transformers.utils.logging.disable_progress_bar()
transformers.utils.logging.set_verbosity_error()
for case, what in CASES.items():
    path = pathlib.Path(sys.argv[1], case)
    path.mkdir()
    make(path, *what)
