"""Tiny encoders as transformers writes them, in folders, each with what transformers makes of some tokens: expected.safetensors has the
inputs, what comes of all of them under transformers' names, and what comes of `input_ids` alone (`alone.logits`)."""
import json
import pathlib
import sys

import torch
import transformers
from safetensors.torch import load_file, save_file

SIZES = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 97, "max_position_embeddings": 40}
BERT = {**SIZES, "type_vocab_size": 3, "layer_norm_eps": 1e-5}
DISTILBERT = {"dim": 32, "hidden_dim": 48, "n_layers": 2, "n_heads": 4, "vocab_size": 97, "max_position_embeddings": 40}
ALBERT = {**BERT, "embedding_size": 12, "num_hidden_layers": 4, "num_hidden_groups": 2, "inner_group_num": 2}
MODERN = {**SIZES, "num_hidden_layers": 4, "local_attention": 5, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "cls_token_id": 1, "sep_token_id": 2}
LINEAR = {"rope_type": "linear", "factor": 2.0}
FAMILIES = {"Bert": BERT, "Roberta": BERT, "DistilBert": DISTILBERT, "Albert": ALBERT, "ModernBert": MODERN}
TASKS = {"Model": {}, "ForMaskedLM": {}, "ForSequenceClassification": {"num_labels": 5}, "ForTokenClassification": {"num_labels": 3}}

# The class and what its config has beyond the sizes.
CASES = {f"{family}{task}": (f"{family}{task}", {**sizes, **labels}) for family, sizes in FAMILIES.items() for task, labels in TASKS.items()}
CASES |= {
    "bert_untied": ("BertForMaskedLM", {**BERT, "tie_word_embeddings": False, "hidden_act": "gelu_new"}),
    "bert_older": ("BertForMaskedLM", {**BERT, "hidden_act": "relu"}),
    "bert_of_two_labels": ("BertForSequenceClassification", {**BERT, "num_attention_heads": 1}),
    "roberta_untied": ("RobertaForMaskedLM", {**BERT, "tie_word_embeddings": False, "pad_token_id": 3, "hidden_act": "silu"}),
    "distilbert_untied": ("DistilBertForMaskedLM", {**DISTILBERT, "tie_word_embeddings": False, "activation": "relu", "n_heads": 2}),
    "albert_in_turn": ("AlbertForMaskedLM", {**ALBERT, "num_hidden_layers": 5, "num_hidden_groups": 3, "inner_group_num": 1, "hidden_act": "gelu"}),
    "modernbert_biased": ("ModernBertForSequenceClassification", {
        **MODERN, "norm_bias": True, "attention_bias": True, "mlp_bias": True, "classifier_bias": True, "classifier_pooling": "mean", "norm_eps": 1e-3,
        "classifier_activation": "silu", "hidden_activation": "relu", "layer_types": ["sliding_attention", "full_attention"] * 2}),
    "modernbert_untied": ("ModernBertForMaskedLM", {
        **MODERN, "tie_word_embeddings": False, "decoder_bias": False,
        "rope_parameters": {"full_attention": {**LINEAR, "rope_theta": 7000.0}, "sliding_attention": {"rope_type": "default", "rope_theta": 300.0}}}),
    "modernbert_older": ("ModernBertForMaskedLM", {**MODERN, "global_attn_every_n_layers": 2, "global_rope_theta": 9000.0, "local_rope_theta": 200.0}),
}


# What older versions of transformers wrote beside, or under another name.
def make_older(folder, family):
    path = folder / "config.json"
    config = json.loads(path.read_text())
    weights = load_file(folder / "model.safetensors")
    if family == "Bert":
        config |= {"position_embedding_type": "absolute", "gradient_checkpointing": False, "torch_dtype": "float32"}
        del config["dtype"]
        weights["cls.predictions.decoder.bias"] = weights["cls.predictions.bias"].clone()
        weights["cls.predictions.decoder.weight"] = weights["bert.embeddings.word_embeddings.weight"].clone()
        weights["cls.seq_relationship.weight"] = weights["bert.pooler.dense.weight"] = torch.zeros(2, 32)
        weights["bert.embeddings.position_ids"] = torch.arange(40)[None]
        weights["bert.embeddings.LayerNorm.gamma"] = weights.pop("bert.embeddings.LayerNorm.weight")
        weights["bert.embeddings.LayerNorm.beta"] = weights.pop("bert.embeddings.LayerNorm.bias")
    else:
        config |= {"global_attn_every_n_layers": 2, "global_rope_theta": 9000.0, "local_rope_theta": 200.0, "layer_norm_eps": 1e-5, "reference_compile": None}
        del config["rope_parameters"], config["layer_types"]
    path.write_text(json.dumps(config))
    save_file({name: tensor.clone() for name, tensor in weights.items()}, folder / "model.safetensors")


def make(folder, name, options):
    torch.manual_seed(len(folder.name))
    model_class = getattr(transformers, name)
    model = model_class(model_class.config_class(**options)).eval()
    with torch.no_grad():
        for parameter in model.parameters():  # fresh biases are zero and norms are one: nobody would see them missing
            parameter.add_(torch.randn_like(parameter) * 0.1)
        model.save_pretrained(folder)
        inputs = {"input_ids": torch.randint(4, 97, (2, 11)), "attention_mask": torch.ones(2, 11, dtype=torch.long)}
        inputs["input_ids"][1, 7:] = getattr(model.config, "pad_token_id")
        inputs["attention_mask"][1, 7:] = 0
        if "type_vocab_size" in options:
            inputs["token_type_ids"] = torch.randint(0, 3, (2, 11))
        outputs = dict(model(**inputs)) | {f"alone.{key}": value for key, value in model(inputs["input_ids"]).items()}
    if folder.name.endswith("_older"):
        make_older(folder, "Bert" if folder.name.startswith("bert") else "ModernBert")
    save_file({key: value.contiguous() for key, value in {**inputs, **outputs}.items()}, folder / "expected.safetensors")


transformers.utils.logging.disable_progress_bar()
transformers.utils.logging.set_verbosity_error()
for case, what in CASES.items():
    path = pathlib.Path(sys.argv[1], case)
    path.mkdir()
    make(path, *what)
