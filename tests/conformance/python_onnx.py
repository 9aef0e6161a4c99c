"""What Python's own exporters to ONNX make of a subject, kept beside its exports: they take minutes where Ferry takes milliseconds."""

import copy
import json
import tempfile

import torch

import subjects
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


def _run(path, tensors):
    import onnxruntime

    session = onnxruntime.InferenceSession(path)
    names = [each.name for each in session.get_inputs()]
    if len(names) != len(tensors):
        raise ValueError(f"{len(names)} inputs for {len(tensors)} tensors")
    return [torch.from_numpy(result) for result in session.run(None, dict(zip(names, (tensor.numpy() for tensor in tensors))))]


def _measure(name, dynamic, cases):
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
                found = _run(path, subjects.tensors_of(subject.cases[case]))
                wrong = difference(found[:len(expected[case])], expected[case])
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
        dynamic = bool(manifest["dynamic"])
        cases = manifest["dynamic" if dynamic else "static"].get("cases") or [0]  # those that a program of Python's runs at
        kept.write_text(json.dumps(_measure(name, dynamic, cases)))
    return json.loads(kept.read_text())
