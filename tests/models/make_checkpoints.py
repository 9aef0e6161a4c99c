"""Tiny checkpoints as transformers writes them, in folders, each with what transformers makes of some tokens: expected.safetensors has
`input_ids`, padded on the left, their `attention_mask`, the `logits` of one call, and the `tokens` of a greedy generate."""
import json
import pathlib
import sys

import torch
import transformers
from safetensors.torch import save_file

SIZES = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 3, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 97}
ROPE = {"rope_theta": 5000.0}
LLAMA3 = {**ROPE, "rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 3.0, "original_max_position_embeddings": 64}

# The class, what its config has beyond the sizes, and how it is saved.
CASES = {
    "llama": ("Llama", {}, {}),
    "llama_tied": ("Llama", {"tie_word_embeddings": True, "head_dim": 12, "rope_parameters": LLAMA3}, {}),
    "llama_biased": ("Llama", {"attention_bias": True, "mlp_bias": True, "hidden_act": "gelu", "num_key_value_heads": 4, "rms_norm_eps": 1e-3}, {}),
    "llama_in_parts": ("Llama", {"rope_parameters": {**ROPE, "rope_type": "linear", "factor": 2.0}}, {"max_shard_size": "20KB"}),
    "mistral": ("Mistral", {"sliding_window": 4}, {}),
    "mistral_without_window": ("Mistral", {"sliding_window": None, "head_dim": 6}, {}),
    "qwen2": ("Qwen2", {"use_sliding_window": True, "sliding_window": 3, "max_window_layers": 1}, {}),
    "qwen2_tied": ("Qwen2", {"tie_word_embeddings": True}, {}),
    "qwen2_older": ("Qwen2", {"rope_parameters": LLAMA3, "use_sliding_window": True, "sliding_window": 4, "max_window_layers": 2}, {}),
    "qwen3": ("Qwen3", {"head_dim": 16}, {}),
    "qwen3_biased": ("Qwen3", {"head_dim": 8, "attention_bias": True}, {}),
}


# As older versions of transformers wrote it.
OLDER_CONFIG = {"rope_theta": 5000.0, "rope_scaling": {key: value for key, value in LLAMA3.items() if key != "rope_theta"}, "torch_dtype": "float32",
                "use_mrope": False, "_attn_implementation_autoset": True}


def make(folder, name, options, saving):
    torch.manual_seed(len(folder.name))
    config = getattr(transformers, f"{name}Config")(**{**SIZES, **options})
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
    if folder.name.endswith("_older"):
        path = folder / "config.json"
        written = {key: value for key, value in json.loads(path.read_text()).items() if key not in ("rope_parameters", "dtype", "layer_types")}
        path.write_text(json.dumps({**written, **OLDER_CONFIG}))
    save_file({"input_ids": ids, "attention_mask": mask, "logits": logits, "tokens": tokens}, folder / "expected.safetensors")


transformers.utils.logging.disable_progress_bar()
transformers.utils.logging.set_verbosity_error()
for case, what in CASES.items():
    path = pathlib.Path(sys.argv[1], case)
    path.mkdir()
    make(path, *what)
