"""Two tiny checkpoints, as save_pretrained leaves them: an encoder and a model that generates."""
import sys

import torch
import transformers

torch.manual_seed(0)
SIZES = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 97}
transformers.BertForMaskedLM(transformers.BertConfig(**SIZES)).save_pretrained(f"{sys.argv[1]}/bert")
transformers.LlamaForCausalLM(transformers.LlamaConfig(**SIZES, num_key_value_heads=2)).save_pretrained(f"{sys.argv[1]}/llama")
