"""Tiny encoder-decoder checkpoints as transformers writes them, in folders, each with what transformers makes of some inputs: expected.safetensors
has what the encoder is given, its `last_hidden_state`, `decoder_input_ids` with their `logits`, and the `tokens` of a greedy generate."""
import json
import pathlib
import sys

import torch
import transformers
from safetensors.torch import save_file

T5 = {"d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4, "vocab_size": 97, "relative_attention_num_buckets": 8,
      "relative_attention_max_distance": 12, "decoder_start_token_id": 0}
WHISPER = {"d_model": 32, "encoder_layers": 2, "decoder_layers": 3, "encoder_attention_heads": 4, "decoder_attention_heads": 2, "encoder_ffn_dim": 48,
           "decoder_ffn_dim": 40, "num_mel_bins": 6, "max_source_positions": 10, "max_target_positions": 40, "vocab_size": 97, "pad_token_id": 0,
           "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 3, "suppress_tokens": None, "begin_suppress_tokens": None}
GENERATION = {"do_sample": False, "max_new_tokens": 20, "min_new_tokens": 20, "eos_token_id": None, "pad_token_id": 0}

# The class, and what its config has beyond the sizes.
CASES = {
    "t5": ("T5ForConditionalGeneration", {}),
    "t5_gated": ("T5ForConditionalGeneration", {"feed_forward_proj": "gated-gelu", "num_layers": 3, "num_decoder_layers": 2, "d_kv": 6, "layer_norm_epsilon": 1e-3}),
    "t5_untied_older": ("T5ForConditionalGeneration", {"feed_forward_proj": "gated-silu", "tie_word_embeddings": False, "relative_attention_num_buckets": 32,
                                                      "relative_attention_max_distance": 128}),
    "t5_encoder": ("T5EncoderModel", {"feed_forward_proj": "gelu"}),
    "whisper": ("WhisperForConditionalGeneration", {}),
    "whisper_untied": ("WhisperForConditionalGeneration", {"tie_word_embeddings": False, "activation_function": "relu", "scale_embedding": True}),
}

# Fields of older versions of transformers, and some that are no longer written.
OLDER_T5 = {"tie_word_embeddings": False, "n_positions": 512, "output_past": True, "task_specific_params": {"summarization": {"num_beams": 4}}}


def text_inputs():
    ids, mask = torch.randint(3, 97, (2, 9)), torch.ones(2, 9, dtype=torch.long)
    mask[1, 5:] = 0
    return {"input_ids": ids, "attention_mask": mask}


def greedy(model, inputs):
    if "input_features" not in inputs:
        return model.generate(**inputs, **GENERATION)
    ids, past = torch.full((2, 1), model.config.decoder_start_token_id), None  # Whisper's own generate forces and suppresses tokens
    encoded = model.get_encoder()(**inputs)
    for _ in range(20):
        out = model(encoder_outputs=encoded, decoder_input_ids=ids[:, -1:], past_key_values=past, use_cache=True)
        ids, past = torch.cat([ids, out.logits[:, -1:].argmax(-1)], 1), out.past_key_values
    return ids


def make(folder, name, options):
    torch.manual_seed(len(folder.name) + 5)
    config_class = transformers.T5Config if name.startswith("T5") else transformers.WhisperConfig
    config = config_class(**{**(T5 if name.startswith("T5") else WHISPER), **options})
    model = getattr(transformers, name)(config).eval()
    if folder.name == "t5_untied_older":
        model.lm_head.weight = torch.nn.Parameter(torch.randn_like(model.lm_head.weight) * 0.1)
    with torch.no_grad():
        for parameter in model.parameters():  # fresh biases are zero and norms are one: nobody would see them missing
            parameter.add_(torch.randn_like(parameter) * (0.1 if parameter.dim() == 1 else 0.4))
        model.save_pretrained(folder)
        if folder.name.endswith("_older"):
            path = folder / "config.json"
            new = ("scale_decoder_outputs", "dense_act_fn", "is_gated_act", "dtype")
            path.write_text(json.dumps({**{key: value for key, value in json.loads(path.read_text()).items() if key not in new}, **OLDER_T5}))
        model = type(model).from_pretrained(folder).eval()
        inputs = text_inputs() if name.startswith("T5") else {"input_features": torch.randn(2, 6, 20)}
        expected = {**inputs, "last_hidden_state": model.get_encoder()(**inputs).last_hidden_state}
        if "Encoder" not in name:
            ids = torch.randint(3, 97, (2, 7))
            expected |= {"decoder_input_ids": ids, "logits": model(**inputs, decoder_input_ids=ids).logits, "tokens": greedy(model, inputs)}
    save_file(expected, folder / "expected.safetensors")


torch.set_num_threads(1)  # of tensors this small, more are slower
transformers.utils.logging.disable_progress_bar()
transformers.utils.logging.set_verbosity_error()
for case, what in CASES.items():
    path = pathlib.Path(sys.argv[1], case)
    path.mkdir()
    make(path, *what)
