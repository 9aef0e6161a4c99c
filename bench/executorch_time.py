"""Time and memory of an export to ExecuTorch with XNNPACK, beside Python's on the same architecture in the same run, and what the runtime makes of
either file."""

import pathlib
import subprocess
import tempfile

from capture_time import LAYERS, libraries, python_of_setup, run_json
from compile_cost import Compiler, ROOT

GOALS = {2: 100, 24: 1000}  # how many times faster than Python an export is to be


def row(what, goal, ours, theirs, made):
    megabytes = [(each["kilobytes"] - each["kilobytes_before"]) / 1024 for each in (ours, theirs)]
    print(f"| {what} | {ours['least'] * 1e3:.1f} | {theirs['least']:.1f} | {theirs['least'] / ours['least']:.0f} | {goal} | {megabytes[0]:.0f} "
          f"| {megabytes[1]:.0f} | {made[0]['bytes'] / 1e6:.2f} | {made[1]['bytes'] / 1e6:.2f} | {made[0]['planned'] / 1e6:.2f} | {made[1]['planned'] / 1e6:.2f} | " +
          " | ".join(f"{each['latency'] * 1e3:.2f}" if each["latency"] else "does not load" for each in made) + " |", flush=True)


def executorch(compiler: Compiler, runs: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        program = str(folder / "export")
        subprocess.run([*compiler.command, "-O2", str(ROOT / "bench/executorch.cpp"), "-o", program, *libraries(compiler)], check=True)
        peer = [python_of_setup(), str(ROOT / "bench/executorch_peer.py")]
        print("| model | Ferry, ms | Python, s | ratio | goal | Ferry +MB | Python +MB | file MB, Ferry | Python | planned MB, Ferry | Python | run ms, Ferry | Python |")
        print("|---" + "|---:" * 12 + "|")
        ours, theirs = str(folder / "ferry.pte"), str(folder / "python.pte")

        def described(name):
            made = run_json(*peer, "describe", name, ours, theirs)
            for each, file in zip(made, (ours, theirs), strict=True):
                each["planned"] = run_json(program, "planned", file)
            return made

        for name in ("convolutions", "cache"):
            lowered = run_json(*peer, "net", name, str(folder / "program.pt2"), theirs)
            row(name, "", run_json(program, "program", str(folder / "program.pt2"), ours, str(runs)), lowered, described(name))
        for layers in LAYERS:
            exported = run_json(program, "llama", str(layers), ours, str(runs))
            row(f"Llama, {layers} layers", GOALS.get(layers, ""), exported, run_json(*peer, "llama", str(layers), theirs), described("llama"))
