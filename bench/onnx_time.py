"""Time and memory of an export to ONNX, beside Python's OnnxExporter on the same architecture in the same run, and what ONNX Runtime
makes of either file."""

import pathlib
import re
import subprocess
import tempfile

from capture_time import LAYERS, libraries, python_of_setup, run_json
from compile_cost import Compiler, ROOT
from file_time import copy_seconds

GOALS = {2: 100, 24: 500}  # how many times faster than Python an export is to be


def onnx_libraries() -> list[str]:
    """The onnx C++ library that cmake/setup.py has built."""
    root = re.search(r'set\(FERRY_ONNX_ROOT "(.+)"\)', (ROOT / "build/deps.cmake").read_text()).group(1)
    return [f"-L{root}/lib", "-lonnx", "-lonnx_proto", "-lprotobuf", "-lpthread"]


def onnx(compiler: Compiler, runs: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        program = str(folder / "export")
        subprocess.run([*compiler.command, "-O2", str(ROOT / "bench/onnx.cpp"), "-o", program, *libraries(compiler), *onnx_libraries()], check=True)
        peer = [python_of_setup(), str(ROOT / "bench/onnx_peer.py")]
        print("| layers | Ferry, first ms | least ms | Python s | ratio | goal | Ferry +MB | Python +MB | nodes, Ferry | Python | file MB, Ferry | Python "
              "| run ms, Ferry | Python |")
        print("|---:" * 14 + "|")
        for layers in LAYERS:
            files = [folder / f"{who}{layers}" / "model.onnx" for who in ("ferry", "python")]
            for file in files:
                file.parent.mkdir()
            ours = run_json(program, str(layers), "0", str(files[0]), str(runs))
            theirs = run_json(*peer, "export", str(layers), str(files[1]))
            megabytes = [(each["kilobytes"] - each["kilobytes_before"]) / 1024 for each in (ours, theirs)]
            made = [run_json(*peer, "describe", str(file)) for file in files]
            print(f"| {layers} | {ours['first'] * 1e3:.1f} | {ours['least'] * 1e3:.1f} | {theirs['least']:.1f} | {theirs['least'] / ours['least']:.0f} "
                  f"| {GOALS.get(layers, '')} | {megabytes[0]:.0f} | {megabytes[1]:.0f} | {made[0]['nodes']} | {made[1]['nodes']} "
                  f"| {made[0]['bytes'] / 1e6:.2f} | {made[1]['bytes'] / 1e6:.2f} | {made[0]['latency'] * 1e3:.2f} | {made[1]['latency'] * 1e3:.2f} |", flush=True)
        big = folder / "big" / "model.onnx"
        big.parent.mkdir()
        made = run_json(program, "4", "2048", str(big), str(runs))
        weights = pathlib.Path(f"{big}.data")
        copied = copy_seconds(weights, folder / "copy", runs)
        print(f"\n{weights.stat().st_size / 1e9:.2f} GB of weights: {made['least']:.2f} s, {made['least'] / copied:.2f} times `cp` of them ({copied:.2f} s), "
              f"{(made['kilobytes'] - made['kilobytes_before']) / 1024:.0f} MB more than the model itself")
