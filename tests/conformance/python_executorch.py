"""What Python makes of a subject for ExecuTorch, with XNNPACK: transformers' ExecutorchExporter of its models, executorch's own lowering of other
modules. Kept beside the exports: it takes seconds to minutes where Ferry takes milliseconds."""

import copy
import functools
import hashlib
import json
import pathlib
import tempfile
import time

import torch
from torch.export import Dim
from torch.utils import _pytree as pytree

import run_pte
import subjects
import zoo_checks
from checks import NOT_MADE, executorch_figures, kinds_of, wrong_in_executorch
from compare import PeerError, first_line
from exports import version_of
from zoo import model_called

EXPORT_SECONDS, RUN_SECONDS = 120, 60  # for one export, and for one run of what it makes


def _lower(program):
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import to_edge_transform_and_lower

    return to_edge_transform_and_lower(program, partitioner=[XnnpackPartitioner()]).to_executorch()


@functools.cache
def _warm_up():
    """What Python imports and tabulates for its first export takes seconds: each process of an export finds it done."""
    from transformers.exporters import ExecutorchExporter  # noqa: F401

    _lower(torch.export.export(torch.nn.Linear(2, 2), (torch.ones(2, 2),)))


def _export(subject, dynamic):
    if not isinstance(subject, subjects.PretrainedSubject):
        return _lower(subject.export(dynamic))
    from transformers.exporters import ExecutorchConfig, ExecutorchExporter

    config = ExecutorchConfig(dynamic=dynamic, dynamic_shapes=subject.shapes if dynamic else None)
    return ExecutorchExporter().export(subject.module, copy.deepcopy(subject.cases[0][1]), config)


def _untested(subject):
    """Versions here that are not those that transformers' exporter is tested with: what it cannot do may come from these."""
    if not isinstance(subject, subjects.PretrainedSubject):
        return ""
    from transformers.exporters import ExecutorchExporter

    tested = ExecutorchExporter.tested_versions
    return ", ".join(f"{package} {version_of(package)} for {version}" for package, version in tested.items() if version_of(package) != version)


def _write(subject, dynamic, path):
    try:
        with torch.no_grad():
            _export(subject, dynamic).save(str(path))
    except Exception as error:
        origin = error
        while origin.__cause__:  # executorch says which of its passes fails, not why
            origin = origin.__cause__
        raise RuntimeError(first_line(error) if origin is error else f"{first_line(error)}: {first_line(origin)}") from None


def _wrong(path, subject, case, are_tensors):
    """What is wrong with the file at one size, or None."""
    inputs = [leaf.contiguous() if isinstance(leaf, torch.Tensor) else leaf for leaf in pytree.tree_leaves(subject.cases[case])]
    try:
        return wrong_in_executorch(path, inputs, subject.eager(case), are_tensors, f"at size {case}", RUN_SECONDS)
    except KeyError as missing:
        return f"it gives nothing at place {missing}"


def _measure(subject, dynamic, cases, are_tensors, ferry):
    _warm_up()
    told, start = {"untested": _untested(subject)}, time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        path = pathlib.Path(work, "model.pte")
        try:
            run_pte.apart("Python", lambda: _write(subject, dynamic, path), EXPORT_SECONDS)
        except RuntimeError as error:
            return {"verdict": "fails", "reason": str(error), "seconds": time.monotonic() - start, **told}
        told |= {"seconds": time.monotonic() - start, **executorch_figures(ferry, path)}
        written = told["outputs"] - len(are_tensors)  # Python puts the new values of inputs that a program writes to before its results
        try:
            wrong = next(filter(None, (_wrong(path, subject, case, [False] * written + are_tensors) for case in cases)), None)
        except PeerError as error:
            return {"verdict": "python", "reason": first_line(error), **told}
    return {"verdict": "wrong" if wrong else "ok", "reason": wrong or "", **told}


def _kept(folder, make):
    kept = folder / f"python-executorch-{version_of('executorch')}.json"
    if not kept.exists():
        made = make()
        folder.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(made))
    return json.loads(kept.read_text())


def python_executorch(name, folder, ferry):
    """{variant: {"verdict": "ok", "wrong", "fails", "none", or "python" for what cannot be run, "reason", "seconds", and the figures of a file that
    there is}}"""

    def variant(subject, is_dynamic, found):
        if "file" not in found:
            return {"verdict": "fails", "reason": found["reason"]} if found else NOT_MADE
        are_tensors = [kind == "as_tensor" for kind in kinds_of(folder / found["file"], "output")]
        made = _measure(subject, is_dynamic, found["cases"] or [0], are_tensors, ferry)  # the sizes that Python's program runs at
        is_half = made["verdict"] == "ok" and "reason" in found  # which Ferry's file does not count as right either
        return {**made, "verdict": "python", "reason": found["reason"]} if is_half else made

    def make():
        subject, manifest = subjects.make(name), json.loads((folder / "manifest.json").read_text())
        return {each: variant(subject, each == "dynamic", found) for each, found in manifest.items()}

    return _kept(folder, make)


def python_executorch_of_zoo(name, cache, ferry):
    """The same of a model of torchvision or timm, of the variants that Ferry makes of it. A model gives one tensor."""
    entry = model_called(name)
    versions = "-".join(f"{library}-{version_of(library)}" for library in ("torch", "torchvision", "timm"))
    digest = hashlib.sha256(repr(entry).encode()).hexdigest()[:12]

    def make():
        subject = zoo_checks.make(name)
        # What has one image in the example has one image for ever: several are the example where their number is open.
        opened = subjects.Subject(subject.module, subject.cases[::-1], ({0: Dim.AUTO},))
        return {"static": NOT_MADE if entry.kind == "timm" else _measure(subject, False, [0], [True], ferry),
                "dynamic": _measure(opened, True, [0, 1], [True], ferry)}

    return _kept(cache / versions / f"{name}-{digest}", make)
