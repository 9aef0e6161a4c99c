"""What the ferry program makes of torchvision's models as TorchScript files, and of timm's as Python exports them."""

import copy
import functools
import json
import pathlib
import re
import tempfile
import time

import torch
from torch.export import Dim

import checks
import run_pte
from compare import FerryError, PeerError, Refusal, difference, first_line
from exports import export_variant, numbered, save_tensors
from models import SIZES
from subjects import Subject, _shake, tensors_of
from zoo import model_called

SAMPLE, OTHER = (1, 3, 224, 224), (3, 3, 224, 224)
STATIC = re.compile(r"dimension (\d+) is (?:static|fixed)[^;]*")


def _library(name):
    try:
        return __import__(name, fromlist=["*"])
    except Exception as error:  # one that was built for another torch fails in many ways
        raise PeerError(f"`python3 cmake/setup.py --with zoo` installs {name}: {first_line(error)}") from None


def _images(sizes):
    """Images that differ from each other on the whole: in the mean over its pixels, one of noise alone is as good as the next."""
    count, channels, height, width = sizes
    blots = torch.nn.functional.interpolate(torch.randn(count, channels, 4, 4), (height, width), mode="bilinear")
    return torch.randn(sizes) + 2 * blots


def _settle(module, images):
    """Batch norms as after training on the images. As they are made, they let fade what an image does, layer by layer, until all
    images give the same."""
    trained = copy.deepcopy(module)  # some keep more of a run than that
    for part in trained.modules():
        if isinstance(part, torch.nn.modules.batchnorm._BatchNorm):
            part.momentum = 1.0
            part.train()
    with torch.no_grad():
        trained(images)
    module.load_state_dict(trained.state_dict())


def _subject(make, sizes_of, shapes=None):
    """`sizes_of`: of a module, the shapes of the sample and of the other input."""
    torch.manual_seed(0)
    module = make().eval()
    _shake(module)
    sizes = sizes_of(module)
    _settle(module, _images((8, *sizes[0][1:])))
    return Subject(module, [((_images(each),), {}) for each in sizes], shapes)


def _torchvision(entry):
    make = functools.partial(getattr(_library("torchvision.models"), entry.family), weights=None, **entry.options)
    return _subject(make, lambda _: (SAMPLE, OTHER))


def _timm(entry):
    make = functools.partial(_library("timm").create_model, entry.family, pretrained=False, **entry.options)
    return _subject(make, lambda module: [(batch, *module.default_cfg["input_size"]) for batch in SIZES["batch"]], ({0: Dim.AUTO},))


def make(name):
    entry = model_called(name)
    return (_timm if entry.kind == "timm" else _torchvision)(entry)


def _script(entry, subject, file):
    """The module as TorchScript, also in a file."""
    try:
        with torch.no_grad():
            traced = entry.kind == "torchvision-traced"
            script = torch.jit.trace(subject.module, subject.cases[0][0], check_trace=False) if traced else torch.jit.script(subject.module)
            script.save(str(file))
    except Exception as error:
        raise PeerError(first_line(error)) from None
    return script


def _save_cases(subject, folder):
    """Of each case its inputs and what eager gives; the latter is returned."""
    expected = [subject.eager(case) for case in range(2)]
    for case, inputs in enumerate(subject.cases):
        save_tensors(numbered(tensors_of(inputs)), folder / f"{case}.in.safetensors")
        save_tensors(numbered(expected[case]), folder / f"{case}.out.safetensors")
    return expected


def _timed(*command):
    """(seconds, what it notes)"""
    start = time.monotonic()
    _, said = checks.call_ferry(*command)
    return time.monotonic() - start, said


class ScriptCheck:
    """What is made of a TorchScript file in one format runs and equals eager, and is made in time."""

    def __init__(self, to, script, subject, limit):
        self.to, self.script, self.subject, self.limit = to, script, subject, limit

    def __call__(self, ferry, _, folder, work, variant, found, expected):
        made = work / f"model.{self.to}"
        seconds, said = self.export(ferry, folder, made, variant, found)
        program = self.load(made) if self.to == "pt2" else None
        for case in found["cases"]:
            try:
                results = self.run_by_ferry(ferry, made, folder / f"{case}.in.safetensors", work / "outputs.safetensors") if self.to != "executorch" \
                    else self.run_in_executorch(made, folder / f"{case}.in.safetensors")
            except FerryError:
                if case:
                    self.refuse_what_is_baked_in(said, [0])
                raise
            self.compare(results, expected[case], f"what `ferry export` wrote, run at size {case},")
            if program:
                self.compare(self.run_by_python(program, case), expected[case], f"what `ferry export` wrote, in Python at size {case},")
        if seconds > self.limit:
            raise FerryError(f"`ferry export` takes {seconds:.1f} s, more than {self.limit:g}")
        nodes = f", {checks.nodes_of(made)} nodes" if self.to == "onnx" else ""
        return {"reason": f"{seconds:.1f} s{nodes}", **(checks.executorch_figures(ferry, made) if self.to == "executorch" else {})}

    def export(self, ferry, folder, made, variant, found):
        dynamic = ["--dynamic"] if variant == "dynamic" else []
        command = [ferry, "export", folder / found["file"], "--to", self.to, "-o", made, "--inputs", folder / "0.in.safetensors", *dynamic]
        try:
            first, said = _timed(*command)
        except FerryError as error:
            if dynamic and "says (1)" in str(error):
                self.refuse_what_is_baked_in(str(error), range(len(SAMPLE)))
            raise
        # A machine that is busy with something else is slow once.
        return (first if first <= self.limit else min(first, _timed(*command)[0])), said

    def refuse_what_is_baked_in(self, text, dimensions):
        """A text that calls one of the dimensions static is right where the script itself takes no other size there."""
        for match in STATIC.finditer(text):
            if int(match[1]) in dimensions and self.is_baked_in(int(match[1])):
                raise Refusal(match[0])

    def is_baked_in(self, dimension):
        sizes = list(SAMPLE)
        sizes[dimension] = OTHER[0] if dimension == 0 else sizes[dimension] + 32
        other = torch.randn(sizes)
        try:
            with torch.no_grad():
                return difference(tensors_of(self.script(other)), tensors_of(self.subject.module(other))) is not None
        except Exception:
            return True

    @staticmethod
    def run_by_ferry(ferry, made, inputs, outputs):
        checks.call_ferry(ferry, "run", made, "--inputs", inputs, "--outputs", outputs)
        return checks.in_order(outputs)

    @staticmethod
    def run_in_executorch(made, inputs):
        try:
            found = run_pte.run_apart(made, [each.contiguous() for each in checks.in_order(inputs)])
        except RuntimeError as error:
            raise FerryError(f"ExecuTorch's runtime does not run it: {first_line(error)}") from None
        return [found[position] for position in sorted(found)]

    @staticmethod
    def load(made):
        try:
            return torch.export.load(made)
        except Exception as error:
            raise FerryError(f"Python does not load what `ferry export` wrote: {first_line(error)}") from None

    def run_by_python(self, program, case):
        try:
            return checks.run_again(program, self.subject.cases[case][0])
        except Exception as error:
            raise FerryError(f"Python does not run what `ferry export` wrote, at size {case}: {first_line(error)}") from None

    @staticmethod
    def compare(results, expected, what):
        wrong = difference(results, expected)
        if wrong:
            raise FerryError(f"{what} is not eager: {wrong}")


def check_script(entry, folder, ferry, formats, limit):
    subject = _torchvision(entry)
    script = _script(entry, subject, folder / "script.pt")
    _save_cases(subject, folder)
    found = {"static": {"file": "script.pt", "cases": [0]}, "dynamic": {"file": "script.pt", "cases": [0, 1]}}
    return {variant: {each: checks.check_variant(ferry, entry.name, folder, variant, found[variant], ScriptCheck(each, script, subject, limit))
                      for each in formats} for variant in found}


def check_timm(entry, folder, ferry, formats, _):
    subject = _timm(entry)
    manifest = {"static": {}, "dynamic": export_variant(subject, True, _save_cases(subject, folder), folder)}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return checks.check(entry.name, folder, ferry, formats)


UNBEARABLE = {"portable"}  # the runtime's own convolution takes minutes for an image


def check(name, ferry, formats, limit):
    """{variant: {format: verdict}}; `limit`: seconds that `ferry export` may take for a TorchScript file"""
    entry = model_called(name)
    with tempfile.TemporaryDirectory() as folder:
        bearable = [each for each in formats if each not in UNBEARABLE]
        found = (check_timm if entry.kind == "timm" else check_script)(entry, pathlib.Path(folder), ferry, bearable, limit)
    return {variant: {each: verdicts.get(each, checks.NOT_MADE) for each in formats} for variant, verdicts in found.items()}
