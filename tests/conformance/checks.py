"""What the ferry program makes of Python's exports."""

import functools
import json
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import torch
from safetensors.torch import load_file, save_file
from torch.utils import _pytree as pytree

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "executorch"))
import run_pte
import subjects
from compare import FerryError, PeerError, Refusal, difference, first_line
from models import MODELS


def call_ferry(*command):
    """(what it prints, what it notes). Where it fails, notes on the program come before what is wrong."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300, errors="replace")
    said = " ".join(done.stderr.split())
    if done.returncode != 0:
        raise FerryError(f"`ferry {command[1]}` says ({done.returncode}): " + said.rsplit("ferry: ", 1)[-1][:600])
    return done.stdout, said


def in_order(path):
    tensors = load_file(path)
    if any(str(position) not in tensors for position in range(len(tensors))):
        raise FerryError(f"the outputs are called {sorted(tensors)}")
    return [tensors[str(position)] for position in range(len(tensors))]


def run_again(program, tensors):
    """Python's results of a program: what is no tensor is what it was in the export."""
    kinds = torch.export.graph_signature
    user = [spec.arg for spec in program.graph_signature.input_specs if spec.kind == kinds.InputKind.USER_INPUT]
    example = pytree.tree_leaves(program.example_inputs) if program.example_inputs else []
    tensors, flat = iter(tensors), []
    for position, arg in enumerate(user):
        if isinstance(arg, kinds.ConstantArgument):
            flat.append(arg.value)
        elif isinstance(arg, kinds.TensorArgument):
            flat.append(next(tensors).clone())
        else:
            flat.append(example[position])
    args, kwargs = pytree.tree_unflatten(flat, program.call_spec.in_spec)
    return subjects.run_program(program, args, kwargs)


def check_pt2(ferry, _, folder, work, variant, found, expected):
    """The file runs, and what is written of it runs in Python."""
    file = folder / found["file"]
    for case in found["cases"]:
        named = folder / f"{case}.named.safetensors"
        inputs = named if variant == "static" and named.exists() else folder / f"{case}.in.safetensors"
        outputs = work / "outputs.safetensors"
        call_ferry(ferry, "run", file, "--inputs", inputs, "--outputs", outputs)
        wrong = difference(in_order(outputs), expected[case])
        if wrong:
            raise FerryError(f"`ferry run` at size {case} is not eager: {wrong}")
    again = work / "again.pt2"
    call_ferry(ferry, "export", file, "--to", "pt2", "-o", again)
    try:
        program = torch.export.load(again)
        for case in found["cases"]:
            wrong = difference(run_again(program, in_order(folder / f"{case}.in.safetensors")), expected[case])
            if wrong:
                raise FerryError(f"what `ferry export` wrote is not eager in Python at size {case}: {wrong}")
    except FerryError:
        raise
    except Exception as error:
        try:
            run_again(torch.export.load(file), in_order(folder / "0.in.safetensors"))
        except Exception as own:
            raise PeerError(f"does not load its own file: {first_line(own)}") from None
        raise FerryError(f"Python does not run what `ferry export` wrote: {first_line(error)}") from None
    return {}


def specs_of(file, which):
    """The kind and the rest of each input or output in the signature of a file's program."""
    with zipfile.ZipFile(file) as archive:
        name = next(each for each in archive.namelist() if each.endswith("models/model.json"))
        specs = json.loads(archive.read(name))["graph_module"]["signature"][f"{which}_specs"]
    return [next(iter(each.items())) for each in specs]


def kinds_of(file, which):
    """What the inputs or outputs of a file's program are to it: as_tensor, as_sym_int, ...; constants are as_int, as_none, ..."""
    found = []
    for kind, spec in specs_of(file, which):
        if kind.startswith("user_"):
            found.append(next(iter(spec["arg"])))
        elif kind == "constant_input":
            found.append("constant")
    return found


def is_computed(kind):
    return kind == "as_tensor" or kind.startswith("as_sym")


def nodes_of(model):
    import onnx

    return len(onnx.load(model, load_external_data=False).graph.node)


def with_numbers(name, folder, file, case, work):
    """The inputs of a case, with the numbers that a program takes as tensors of one element among them."""
    kinds = kinds_of(file, "input")
    given = folder / f"{case}.in.safetensors"
    if not any(kind.startswith("as_sym") for kind in kinds):
        return given
    leaves = pytree.tree_leaves(subjects.make(name).cases[case])
    taken = [leaf for leaf, kind in zip(leaves, kinds, strict=True) if is_computed(kind)]
    tensors = [leaf if isinstance(leaf, torch.Tensor) else torch.tensor([leaf]) for leaf in taken]
    save_file({str(position): tensor.contiguous() for position, tensor in enumerate(tensors)}, work / "inputs.safetensors")
    return work / "inputs.safetensors"


def check_onnx(ferry, name, folder, work, variant, found, expected):
    """What is made of the file runs in ONNX Runtime. New values of what the program writes to come behind its results."""
    model, outputs = work / "model.onnx", work / "outputs.safetensors"
    file = folder / found["file"]
    call_ferry(ferry, "export", file, "--to", "onnx", "-o", model)
    are_tensors = [kind == "as_tensor" for kind in kinds_of(file, "output") if is_computed(kind)]
    for case in found["cases"]:
        call_ferry(ferry, "run", model, "--inputs", with_numbers(name, folder, file, case, work), "--outputs", outputs)
        results = [result for result, is_tensor in zip(in_order(outputs), are_tensors) if is_tensor]
        for position, wanted in enumerate(expected[case][:len(results)]):
            if wanted.is_complex():  # in ONNX pairs of numbers
                results[position] = torch.view_as_complex(results[position])
        wrong = difference(results, expected[case])
        if wrong:
            raise FerryError(f"in ONNX Runtime it is not eager at size {case}: {wrong}")
    return {"reason": f"{nodes_of(model)} nodes"}


def values_of(file):
    """The constants among the inputs of a file's program, in their places; None for all others."""
    found = []
    for kind, spec in specs_of(file, "input"):
        if kind == "constant_input":
            type_of, value = next(iter(spec["value"].items()))
            found.append(None if type_of == "as_none" else value)
        elif kind == "user_input":
            found.append(None)
    return found


def wrong_in_executorch(model, inputs, expected, are_tensors, what, seconds=0):
    """Runs a .pte file; inputs are those that the program takes, numbers among them. What is wrong, or None."""
    if any(isinstance(each, str) for each in inputs):
        raise PeerError("cannot give a text to ExecuTorch's runtime")
    try:
        found = run_pte.run_apart(model, inputs, seconds)
    except RuntimeError as error:
        return f"ExecuTorch's runtime does not run it {what}: {first_line(error)}"
    wrong = difference([found[position] for position, is_tensor in enumerate(are_tensors) if is_tensor], expected)
    return f"in ExecuTorch's runtime it is not eager {what}: {wrong}" if wrong else None


def executorch_figures(ferry, model):
    """What a .pte file is made of: of each method the kernels, the delegates and what they compute, and the memory that is planned."""
    described = json.loads(call_ferry(ferry, "inspect", model, "--json")[0])
    return {"bytes": model.stat().st_size, "outputs": len(described["outputs"]), "methods": described["executorch"]}


def check_executorch(ferry, name, folder, work, variant, found, expected, backend="xnnpack"):
    """What is made of the file runs in ExecuTorch's runtime."""
    model, file = work / "model.pte", folder / found["file"]
    try:
        call_ferry(ferry, "export", file, "--to", "executorch", "--backend", backend, "-o", model)
    except FerryError as error:
        if "takes a number at the one value" in str(error):  # so it does
            raise Refusal(str(error)) from None
        raise
    are_tensors = [kind == "as_tensor" for kind in kinds_of(file, "output")]
    for case in found["cases"]:
        computed = iter(in_order(with_numbers(name, folder, file, case, work)))
        inputs = []
        for kind, value in zip(kinds_of(file, "input"), values_of(file), strict=True):
            given = next(computed) if is_computed(kind) else value
            inputs.append(given.contiguous() if kind == "as_tensor" else given.item() if is_computed(kind) else given)
        wrong = wrong_in_executorch(model, inputs, expected[case], are_tensors, f"at size {case}")
        if wrong:
            raise FerryError(wrong)
    return {"reason": f"{model.stat().st_size // 1024} KB", **executorch_figures(ferry, model)}


FORMATS = {"pt2": check_pt2, "onnx": check_onnx, "executorch": check_executorch,
           "portable": functools.partial(check_executorch, backend="portable")}
NOT_MADE = {"verdict": "none", "reason": ""}


def check_variant(ferry, name, folder, variant, found, check):
    """{"verdict": who is to blame or "ok", "reason": why, or what there is to tell, and further figures}"""
    try:
        if not found.get("cases"):
            raise PeerError(found["reason"])
        expected = {case: in_order(folder / f"{case}.out.safetensors") for case in found["cases"]}
        with tempfile.TemporaryDirectory() as work:
            told = check(ferry, name, folder, pathlib.Path(work), variant, found, expected)
        if found.get("reason"):
            raise PeerError(found["reason"])
        return {"verdict": "ok", "reason": "", **told}
    except PeerError as error:
        return {"verdict": "python", "reason": first_line(error)}
    except Refusal as error:
        return {"verdict": "refused", "reason": first_line(error)}
    except Exception as error:
        return {"verdict": "ferry", "reason": first_line(error)}


def check(name, folder, ferry, formats):
    """{variant: {format: verdict}}"""
    manifest = json.loads((folder / "manifest.json").read_text())
    if any(entry.name == name for entry in MODELS):
        subjects.make(name)  # registers its classes with pytree, which loading needs
    return {variant: {each: check_variant(ferry, name, folder, variant, found, FORMATS[each]) if found else NOT_MADE for each in formats}
            for variant, found in manifest.items()}
