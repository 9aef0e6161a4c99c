"""What Python's own exporters to ONNX make of a subject, kept beside its exports: they take minutes where Ferry takes milliseconds."""

import copy
import json
import tempfile

import torch
from torch.utils import _pytree as pytree

import subjects
from checks import is_computed, kinds_of
from compare import difference, first_line
from exports import version_of
from models import MODELS


def _export(name, subject, dynamic, path):
    args, kwargs = copy.deepcopy(subject.cases[0])
    if any(entry.name == name for entry in MODELS):
        from transformers.exporters import OnnxConfig, OnnxExporter

        config = OnnxConfig(dynamic=dynamic, dynamic_shapes=subject.shapes if dynamic else None, output_path=path)
        OnnxExporter().export(subject.module, kwargs, config)
    else:
        torch.onnx.export(subject.module, args, path, kwargs=kwargs, dynamic_shapes=subject.shapes if dynamic else None, dynamo=True, verbose=False)


def _run(path, program, arguments):
    """The tensors among the results. Which numbers are inputs and outputs is as in the program that Python exports."""
    import onnxruntime

    session = onnxruntime.InferenceSession(path)
    names = [each.name for each in session.get_inputs()]
    leaves = [leaf for leaf, kind in zip(pytree.tree_leaves(arguments), kinds_of(program, "input")) if is_computed(kind)]
    if len(names) != len(leaves):
        raise ValueError(f"{len(names)} inputs for {len(leaves)} tensors and numbers")
    given = {name: (leaf.detach() if isinstance(leaf, torch.Tensor) else torch.tensor(leaf)).numpy() for name, leaf in zip(names, leaves)}
    kinds = [kind for kind in kinds_of(program, "output") if is_computed(kind)]
    return [torch.from_numpy(result) for result, kind in zip(session.run(None, given), kinds) if kind == "as_tensor"]


def _measure(name, program, dynamic, cases):
    import onnx

    subject = subjects.make(name)
    expected = {case: subject.eager(case) for case in cases}
    with tempfile.TemporaryDirectory() as work:
        path = f"{work}/model.onnx"
        try:
            _export(name, subject, dynamic, path)
            nodes = len(onnx.load(path, load_external_data=False).graph.node)
        except Exception as error:
            return {"verdict": "fails", "reason": first_line(error)}
        for case in cases:
            try:
                found = _run(path, program, subject.cases[case])
                wrong = difference(found, expected[case])
            except Exception as error:
                wrong = f"does not run: {first_line(error)}"
            if wrong:
                return {"verdict": "wrong", "reason": f"at size {case}: {wrong}", "nodes": nodes}
    return {"verdict": "ok", "reason": "", "nodes": nodes}


def python_onnx(name, folder):
    """{"verdict": "ok", "wrong" or "fails", "reason", "nodes"} of the dynamic export; of the static one where no size is open."""
    kept = folder / f"python-onnx-{version_of('onnxscript')}.json"
    if not kept.exists():
        manifest = json.loads((folder / "manifest.json").read_text())
        variant = "dynamic" if manifest["dynamic"] else "static"
        found = manifest[variant]
        if "file" in found:
            made = _measure(name, folder / found["file"], variant == "dynamic", found["cases"] or [0])  # the sizes that Python's program runs at
        else:
            made = {"verdict": "fails", "reason": found["reason"]}
        kept.write_text(json.dumps(made))
    return json.loads(kept.read_text())
