"""Python's exports, kept in a cache: <variant>.pt2 files, inputs and what eager gives of them, and a manifest of what worked."""

import copy
import hashlib
import importlib.metadata
import json
import pathlib
import shutil
import tempfile

import torch
from safetensors.torch import save_file

import subjects
from compare import PeerError, difference, first_line
from models import MODELS

HERE = pathlib.Path(__file__).parent


def version_of(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "none"


def cache_folder(root, name):
    """Of one subject: named for all that its export depends on."""
    entry = next((each for each in MODELS if each.name == name), None)
    sources = [HERE / "exports.py", HERE / "subjects.py"] + ([] if entry else [HERE.parent / "pt2" / "feature_modules.py"])
    digest = hashlib.sha256(repr(entry).encode() + b"".join(source.read_bytes() for source in sources)).hexdigest()[:12]
    return root / f"torch-{version_of('torch')}-transformers-{version_of('transformers')}" / f"{name}-{digest}"


def save_tensors(tensors, path):
    save_file({name: tensor.detach().clone().contiguous() for name, tensor in tensors.items()}, path)


def numbered(tensors):
    return {str(position): tensor for position, tensor in enumerate(tensors)}


def export_variant(subject, dynamic, expected, folder):
    """What became of it, as it goes to the manifest; nothing where no size is open."""
    file = folder / ("dynamic.pt2" if dynamic else "static.pt2")
    if dynamic and subject.shapes is None:
        return {}
    try:
        program = subject.export(dynamic)
        torch.export.save(program, file)
    except Exception as error:
        return {"reason": first_line(error)}
    result = {"file": file.name, "cases": []}
    for case in range(2 if dynamic else 1):
        # Where Python's own program does not run or is not right, Ferry's cannot be measured by eager.
        args, kwargs = copy.deepcopy(subject.cases[case])
        try:
            wrong = difference(subjects.run_program(program, args, kwargs), expected[case])
            if wrong:
                raise PeerError(f"its own program is not eager: {wrong}")
            result["cases"].append(case)
        except Exception as error:
            result["reason"] = ("at the other size: " if case else "") + first_line(error)
    return result


def export(name, root):
    folder = cache_folder(root, name)
    if folder.exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix=f"{name}.", dir=folder.parent))
    try:
        subject = subjects.make(name)
        expected = [subject.eager(case) for case in range(2)]
        for case, (args, kwargs) in enumerate(subject.cases):
            save_tensors(numbered(subjects.tensors_of((args, kwargs))), work / f"{case}.in.safetensors")
            save_tensors(numbered(expected[case]), work / f"{case}.out.safetensors")
            if not args and all(isinstance(value, torch.Tensor) for value in kwargs.values()):
                save_tensors(kwargs, work / f"{case}.named.safetensors")
        manifest = {variant: export_variant(subject, variant == "dynamic", expected, work) for variant in ("static", "dynamic")}
        (work / "manifest.json").write_text(json.dumps(manifest, indent=1))
        for stale in folder.parent.glob(f"{name}-????????????"):
            shutil.rmtree(stale, ignore_errors=True)
        work.rename(folder)
    except OSError:
        if not folder.exists():  # or else another run was quicker
            raise
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return folder
