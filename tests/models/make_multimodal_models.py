"""Tiny models that see or hear, as transformers writes them, in folders, each with what transformers makes of a text with images or sounds:
expected.safetensors has `input_ids`, padded on the left, their `attention_mask`, `pixel_values` or `input_features`, `image_grid_thw` where images
have sizes of their own, the `logits` of one call, and the `tokens` of a greedy generate."""
import pathlib
import sys

import torch
import transformers
from safetensors.torch import load_file, save_file

PLACEHOLDER = 96  # the token that stands for one vector from the encoder
TEXT = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 97}
VISION = {"hidden_size": 24, "intermediate_size": 40, "num_hidden_layers": 3, "num_attention_heads": 3, "image_size": 12, "patch_size": 4}
AUDIO = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "num_mel_bins": 8, "max_source_positions": 18}


def llava(text, vision, **options):
    config = transformers.LlavaConfig(vision_config=vision(**VISION), text_config=text(**TEXT), image_token_index=PLACEHOLDER, **options)
    return transformers.LlavaForConditionalGeneration(config), {"pixel_values": torch.randn(2, 3, 12, 12)}


def voxtral(text):
    config = transformers.VoxtralConfig(audio_config=AUDIO, text_config=text(**TEXT).to_dict(), audio_token_id=PLACEHOLDER)
    return transformers.VoxtralForConditionalGeneration(config), {"input_features": torch.randn(2, 8, 36)}


def qwen2_vl(text={}, vision={}, **options):
    """Three images: two in the first text, one in the second."""
    vision = {"depth": 2, "embed_dim": 16, "hidden_size": 32, "num_heads": 2, "patch_size": 4, "mlp_ratio": 2, **vision}
    text = {**TEXT, "num_attention_heads": 2, "num_key_value_heads": 1, "rope_parameters": {"rope_type": "default", "mrope_section": [2, 3, 3]},
            "bos_token_id": None, "eos_token_id": None, **text}
    model = transformers.Qwen2VLForConditionalGeneration(
        transformers.Qwen2VLConfig(text_config=text, vision_config=vision, image_token_id=PLACEHOLDER, **options))
    merged = model.config.vision_config.spatial_merge_size
    grids = torch.tensor([[1, 2, 3], [1, 1, 2], [1, 3, 2]]) * torch.tensor([1, merged, merged])
    ids, mask = torch.randint(3, PLACEHOLDER, (2, 15)), torch.ones(2, 15, dtype=torch.long)
    ids[0, 2:8] = ids[0, 10:12] = ids[1, 6:12] = PLACEHOLDER
    mask[1, :4] = 0
    patches = torch.randn(int(grids.prod(1).sum()), 3 * model.config.vision_config.temporal_patch_size * 16)
    return model, {"input_ids": ids, "attention_mask": mask, "mm_token_type_ids": (ids == PLACEHOLDER).int(), "pixel_values": patches,
                   "image_grid_thw": grids}


# A model with what its encoder takes, and how it is saved. There are nine features of an image or a sound.
CASES = {
    "llava": (lambda: llava(transformers.LlamaConfig, transformers.CLIPVisionConfig), {}),
    "llava_tied": (lambda: llava(transformers.MistralConfig, transformers.CLIPVisionConfig, vision_feature_layer=[-2, 1], multimodal_projector_bias=False,
                                 projector_hidden_act="relu", tie_word_embeddings=True), {"save_original_format": False}),
    "llava_siglip": (lambda: llava(transformers.Qwen2Config, transformers.SiglipVisionConfig, vision_feature_layer=-1,
                                   vision_feature_select_strategy="full"), {}),
    "qwen2_vl": (lambda: qwen2_vl(), {}),
    "qwen2_vl_tied": (lambda: qwen2_vl({"use_sliding_window": True, "sliding_window": 7, "max_window_layers": 1, "rms_norm_eps": 1e-4,
                                        "rope_parameters": {"rope_type": "yarn", "factor": 2.0, "mrope_section": [4, 1, 3], "rope_theta": 5000.0,
                                                            "original_max_position_embeddings": 64}},
                                       {"spatial_merge_size": 3, "temporal_patch_size": 1, "hidden_act": "gelu",
                                        "rope_parameters": {"rope_type": "axial", "rope_theta": 100.0}},
                                       tie_word_embeddings=True), {"save_original_format": False}),
    "voxtral": (lambda: voxtral(transformers.LlamaConfig), {}),
}


def make(folder, build, saving):
    torch.manual_seed(len(folder.name))
    model, other = build()
    model.eval()
    with torch.no_grad():
        for parameter in model.parameters():  # fresh biases are zero and norms are one: nobody would see them missing
            parameter.add_(torch.randn_like(parameter) * 0.1)
        model.save_pretrained(folder, **saving)
        ids, mask = torch.randint(3, PLACEHOLDER, (2, 15)), torch.ones(2, 15, dtype=torch.long)
        ids[0, 2:11] = ids[1, 5:14] = PLACEHOLDER
        mask[1, :4] = 0
        given = {"input_ids": ids, "attention_mask": mask, **other}
        positions = {} if "image_grid_thw" in other else {"position_ids": (mask.cumsum(1) - 1).clamp_min(0)}
        logits = model(**given, **positions).logits
        tokens = model.generate(**given, do_sample=False, max_new_tokens=20, min_new_tokens=20, eos_token_id=None, pad_token_id=0)
    if folder.name.endswith("siglip"):  # as older versions of transformers named it
        weights = load_file(folder / "model.safetensors")
        save_file({name.replace("vision_tower.", "vision_tower.vision_model."): weight for name, weight in weights.items()}, folder / "model.safetensors")
    save_file({**given, "logits": logits, "tokens": tokens}, folder / "expected.safetensors")


transformers.utils.logging.disable_progress_bar()
transformers.utils.logging.set_verbosity_error()
for case, what in CASES.items():
    path = pathlib.Path(sys.argv[1], case)
    path.mkdir()
    make(path, *what)
