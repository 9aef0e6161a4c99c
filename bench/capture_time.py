"""Time and memory of a capture, beside Python's exporter on the same architecture in the same run."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

from compile_cost import Compiler, ROOT

LAYERS = (2, 8, 24)
GOALS = {2: 100, 24: 200}  # how many times faster than Python a capture is to be


def libraries(compiler: Compiler) -> list[str]:
    """libtorch of the headers that the build tree uses."""
    root = next(pathlib.Path(match.group(1)) for word in compiler.command if (match := re.fullmatch(r"(.*/torch)/include", word.removeprefix("-I"))))
    return [f"-L{root}/lib", "-ltorch", "-ltorch_cpu", "-lc10", f"-Wl,-rpath,{root}/lib"]


def run_json(*command: str) -> dict:
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])


def python_of_setup() -> str:
    """The environment that cmake/setup.py has made, with torch and transformers in it."""
    found = re.search(r'set\(FERRY_PYTHON "(.+)"\)', (ROOT / "build/deps.cmake").read_text())
    return found.group(1) if found else sys.executable


def capture(compiler: Compiler, runs: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        program = str(pathlib.Path(directory, "capture"))
        subprocess.run([*compiler.command, "-O2", str(ROOT / "bench/capture.cpp"), "-o", program, *libraries(compiler)], check=True)
        python = python_of_setup()
        print("| layers | nodes | Ferry, first ms | Ferry, least ms | Python s | ratio | goal | Ferry +MB | Python +MB |")
        print("|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
        for layers in LAYERS:
            ours = min((run_json(program, "tiny", str(layers)) for _ in range(runs)), key=lambda result: result["least"])
            theirs = run_json(python, str(ROOT / "bench/capture_peer.py"), str(layers))
            megabytes = [(result["kilobytes"] - result["kilobytes_before"]) / 1024 for result in (ours, theirs)]
            print(f"| {layers} | {ours['nodes']} | {ours['first'] * 1e3:.1f} | {ours['least'] * 1e3:.1f} | {theirs['least']:.2f} "
                  f"| {theirs['least'] / ours['least']:.0f} | {GOALS.get(layers, '')} | {megabytes[0]:.1f} | {megabytes[1]:.1f} |", flush=True)
        big = run_json(program, "7b", "32")
        print(f"\n{big['parameters'] / 1e9:.1f} billion parameters on the meta device: {big['nodes']} nodes, first {big['first'] * 1e3:.0f} ms, "
              f"least {big['least'] * 1e3:.0f} ms, {(big['kilobytes'] - big['kilobytes_before']) / 1024:.1f} MB")
