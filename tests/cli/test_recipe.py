"""Recipes: how a model is exported, in a file beside its weights; `ferry export` follows and writes them."""
import json
import os
import subprocess
import unittest

import onnx
import torch
import transformers

from support import FerryTest, main

SIZES = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 97}
FORMATS = {"pt2": ".pt2", "onnx": ".onnx", "executorch": ".pte"}


class Recipe(FerryTest):
    def checkpoint(self, model):
        model.eval().save_pretrained(self.path("model"))
        return self.path("model")

    def bert(self):
        return self.checkpoint(transformers.BertForMaskedLM(transformers.BertConfig(**SIZES)))

    def llama(self):
        return self.checkpoint(transformers.LlamaForCausalLM(transformers.LlamaConfig(**SIZES, num_key_value_heads=2)))

    def recipe(self, **fields):
        with open(self.path("model/export_config.json"), "w") as file:
            json.dump({"version": 1, **fields}, file)

    def assert_same_files(self, one, other):
        names = sorted(os.listdir(self.path(one)))
        self.assertEqual(names, sorted(os.listdir(self.path(other))))
        for name in names:
            with open(self.path(f"{one}/{name}"), "rb") as first, open(self.path(f"{other}/{name}"), "rb") as second:
                self.assertEqual(first.read(), second.read(), name)

    def test_an_encoder_again_by_its_recipe(self):
        model = self.bert()
        ids = torch.randint(0, 97, (2, 6))
        inputs = self.tensors("in.safetensors", {"input_ids": ids, "attention_mask": torch.ones_like(ids)})
        dims = [option for name in ("input_ids", "attention_mask") for option in ("--dim", f"{name}.1=length:2:64")]
        for form in FORMATS:
            self.ferry("export", model, "--to", form, "-o", self.path(f"{form}_1"), "--inputs", inputs, *dims,
                       "--save-recipe", self.path("model/export_config.json"))
            self.ferry("export", model, "-o", self.path(f"{form}_2"))
            self.assert_same_files(f"{form}_1", f"{form}_2")

    def test_parts_again_by_their_recipe(self):
        model = self.llama()
        length, seen = {"name": "length", "min": 1, "max": 64}, {"name": "seen", "min": 1, "max": 63}
        longer = {"size": "seen + 1", "of": [seen]}
        parts = {"prefill": {"dynamic_shapes": {name: {"1": length} for name in ("input_ids", "attention_mask", "position_ids")}},
                 "decode": {"dynamic_shapes": {"past_key_values": {"2": seen}, "attention_mask": {"1": longer}}}}
        for form, suffix in FORMATS.items():
            self.recipe(export_format={"pt2": "dynamo"}.get(form, form), parts=parts)
            self.ferry("export", model, "-o", self.path(f"{form}_1"), "--save-recipe", self.path("recipe.json"))
            self.assertEqual(self.exported(f"{form}_1"), {f"prefill{suffix}", f"decode{suffix}"})
            self.ferry("export", model, "--config", self.path("recipe.json"), "-o", self.path(f"{form}_2"))
            self.assert_same_files(f"{form}_1", f"{form}_2")
        decode = onnx.load(self.path("onnx_1/decode.onnx"))
        shapes = {each.name: [dim.dim_param or dim.dim_value for dim in each.type.tensor_type.shape.dim] for each in decode.graph.input}
        self.assertEqual(shapes["attention_mask"], [2, "seen + 1"])
        program = torch.export.load(self.path("pt2_1/prefill.pt2"))
        self.assertEqual({(int(each.lower), int(each.upper)) for each in program.range_constraints.values()}, {(1, 64)})

    def test_what_a_recipe_may_say(self):
        model = self.llama()
        self.recipe(export_format="onnx", config={"opset_version": 20}, parts={"decode": {}}, dtype="float16",
                    static_cache_length=24)
        self.ferry("export", model, "-o", self.path("out"))
        self.assertEqual(self.exported("out"), {"decode.onnx"})
        decode = onnx.load(self.path("out/decode.onnx"))
        self.assertEqual(decode.opset_import[0].version, 20)
        caches = [each for each in decode.graph.input if "past_key_values" in each.name]
        self.assertEqual({each.type.tensor_type.elem_type for each in caches if each.type.tensor_type.elem_type != onnx.TensorProto.INT64},
                         {onnx.TensorProto.FLOAT16})
        self.assertIn(24, {dim.dim_value for each in caches for dim in each.type.tensor_type.shape.dim})
        self.ferry("export", model, "--to", "onnx", "--config", self.path("model/export_config.json"), "--opset", 21, "-o", self.path("newer"))
        self.assertEqual(onnx.load(self.path("newer/decode.onnx")).opset_import[0].version, 21)

    def test_in_the_config_of_the_model(self):
        model = self.bert()
        with open(self.path("model/config.json")) as file:
            config = json.load(file)
        with open(self.path("model/config.json"), "w") as file:
            json.dump({**config, "export_config": {"export_format": "onnx", "opset_version": 20}}, file)
        self.ferry("export", model, "-o", self.path("out"))
        self.assertEqual(onnx.load(self.path("out/model.onnx")).opset_import[0].version, 20)

    def test_refused(self):
        model = self.bert()
        refused = lambda says, *more: self.refused("export", model, "-o", self.path("out"), *more, says=says)
        refused("has no export recipe")
        for fields, says in (({"version": 9}, "is of version 9, and this Ferry knows up to 1"),
                             ({"format": "onnx"}, "has an unknown key, 'format'"),
                             ({"config": {"opset": 3}}, "there is no such setting (at opset)"),
                             ({"config": {"output_path": "/tmp/x.onnx"}}, "says where its files go"),
                             ({"inputs": {"file": "../in.safetensors"}}, "is not the name of a file in its folder"),
                             ({"parts": {"decode": {}}}, "there are: model"),
                             ({"static_cache_length": 8}, "has no cache"),
                             ({"export_format": "tflite"}, "there are: dynamo, onnx, executorch")):
            self.recipe(**{"export_format": "onnx", **fields})
            refused(says)
        self.recipe(export_format="onnx")
        refused("the config is for 'onnx'", "--to", "pt2", "--config", self.path("model/export_config.json"))
        refused("opset_version", "--to", "pt2", "--opset", 20)

    @unittest.skipUnless("FERRY_WITH_PRINTER" in os.environ, "built without it")
    def test_a_backend_of_a_user(self):
        model = self.bert()
        self.recipe(export_format="print", config={"title": "mine", "dynamic": True})
        with_printer = os.environ["FERRY_WITH_PRINTER"]
        for name, more in {"by_recipe": (), "by_name": ("--to", "print", "--dynamic")}.items():
            subprocess.run([with_printer, "export", model, "-o", self.path(name), *more], check=True, timeout=120)
            self.assertEqual(self.exported(name), {"model.txt"})
        with open(self.path("by_recipe/model.txt")) as file:
            text = file.read()
        self.assertTrue(text.startswith("mine\nExportedProgram:"), text[:100])
        self.assertIn("torch.ops.aten.embedding.default", text)
        self.assertIn("pt2,onnx,executorch,print", subprocess.run([with_printer, "export", "--help"], capture_output=True, text=True).stdout)


main()
