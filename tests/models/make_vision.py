"""Tiny checkpoints of vision models as transformers writes them, in folders, each with what transformers makes of some images:
expected.safetensors has `pixel_values` and the model's outputs under their names, those of towers with every `hidden_states_0`, ..."""
import pathlib
import sys

import torch
import transformers
from safetensors.torch import load_file, save_file

SIZES = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 3, "num_attention_heads": 4, "image_size": 24, "patch_size": 8}
SWIN = {"embed_dim": 8, "depths": [2, 3], "num_heads": [2, 4], "window_size": 3, "image_size": 24, "patch_size": 2}

# The class, its config's, what the config has beyond the sizes, and the sizes of the images where they are others.
CASES = {
    "vit": ("ViTModel", "ViT", {"layer_norm_eps": 1e-3}),
    "vit_odd": ("ViTModel", "ViT", {"image_size": [20, 31], "patch_size": [5, 7], "num_channels": 2, "num_attention_heads": 3, "qkv_bias": False,
                                    "hidden_act": "relu", "pooler_output_size": 20, "pooler_act": "sigmoid"}),
    "vit_without_pooler": ("ViTModel", "ViT", {"head_dim": 5}),
    "vit_classifier": ("ViTForImageClassification", "ViT", {"num_labels": 5}),
    "vit_half": ("ViTForImageClassification", "ViT", {"dtype": torch.bfloat16}),
    "deit": ("DeiTModel", "DeiT", {"hidden_act": "quick_gelu"}),
    "deit_classifier": ("DeiTForImageClassification", "DeiT", {"num_labels": 0}),
    "deit_teacher": ("DeiTForImageClassificationWithTeacher", "DeiT", {"num_labels": 7}),
    "swin": ("SwinModel", "Swin", {}, (29, 38)),
    "swin_padded": ("SwinModel", "Swin", {"window_size": 4, "image_size": [41, 52], "patch_size": 3, "depths": [2, 2, 1], "num_heads": [1, 2, 8],
                                          "qkv_bias": False, "mlp_ratio": 2.3, "layer_norm_eps": 1e-2}),
    "swin_classifier": ("SwinForImageClassification", "Swin", {"num_labels": 3, "use_absolute_embeddings": True}),
    "clip": ("CLIPVisionModel", "CLIPVision", {}),
    "clip_older": ("CLIPVisionModel", "CLIPVision", {"image_size": 23, "patch_size": 5, "num_channels": 1, "hidden_act": "gelu", "layer_norm_eps": 1e-2}),
    "siglip": ("SiglipVisionModel", "SiglipVision", {}),
    "siglip_without_head": ("SiglipVisionModel", "SiglipVision", {"vision_use_head": False, "num_attention_heads": 2}),
}


def make(folder, name, config_name, options, image=None):
    torch.manual_seed(len(folder.name))
    sizes = SWIN if config_name == "Swin" else SIZES
    config = getattr(transformers, f"{config_name}Config")(**{**sizes, **options})
    extra = {"add_pooling_layer": False} if folder.name.endswith("_without_pooler") else {}
    model = getattr(transformers, name)(config, **extra).eval().to(options.get("dtype", torch.float32))
    with torch.no_grad():
        for parameter in model.parameters():  # fresh biases are zero and norms are one: nobody would see them missing
            parameter.add_(torch.randn_like(parameter) * 0.1)
        model.save_pretrained(folder)
        if folder.name.endswith("_older"):
            path = folder / "model.safetensors"
            older = {f"vision_model.{key}": value for key, value in load_file(path).items()}
            save_file({**older, "vision_model.embeddings.position_ids": torch.arange(17).unsqueeze(0)}, path, metadata={"format": "pt"})
        rows, columns = image or (config.image_size if isinstance(config.image_size, list) else 2 * (config.image_size,))
        pixels = torch.randn(3, config.num_channels, rows, columns)
        outputs = model(pixel_values=pixels, output_hidden_states=config_name.endswith("Vision"))
    found = {key: value for key, value in outputs.items() if key != "hidden_states" and value is not None}
    found.update({f"hidden_states_{i}": state for i, state in enumerate(outputs.get("hidden_states") or ())})
    save_file({"pixel_values": pixels, **{key: value.clone(memory_format=torch.contiguous_format) for key, value in found.items()}}, folder / "expected.safetensors")


transformers.utils.logging.disable_progress_bar()
transformers.utils.logging.set_verbosity_error()
for case, what in CASES.items():
    path = pathlib.Path(sys.argv[1], case)
    path.mkdir()
    make(path, *what)
