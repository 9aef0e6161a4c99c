"""Time and memory of export_for_generation from a checkpoint's folder, beside Python's in the same run; of a large one, beside `cp` of its folder."""

import pathlib
import subprocess
import tempfile
import time

from capture_time import libraries, python_of_setup, run_json
from compile_cost import Compiler, ROOT
from onnx_time import onnx_libraries

GOAL = 100  # how many times faster than Python


def copy_seconds(source: pathlib.Path, target: pathlib.Path) -> float:
    """Each of two parts has the weights."""
    start = time.perf_counter()
    for name in ("one", "two"):
        subprocess.run(["cp", "-r", "--reflink=never", str(source), str(target / name)], check=True)
    seconds = time.perf_counter() - start
    subprocess.run(["rm", "-r", str(target / "one"), str(target / "two")], check=True)
    return seconds


def generation(compiler: Compiler, runs: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        program = str(folder / "generation")
        subprocess.run([*compiler.command, "-O2", str(ROOT / "bench/generation.cpp"), "-o", program, *libraries(compiler), *onnx_libraries()], check=True)
        peer = [python_of_setup(), str(ROOT / "bench/generation_peer.py")]
        tiny, large, made = folder / "tiny", folder / "large", folder / "made"
        made.mkdir()
        run_json(*peer, "make", "tiny", str(tiny))
        print("| prefill and decode of a Llama with 2 layers | Ferry, ms | Python, s | ratio | goal | Ferry +MB | Python +MB |")
        print("|---" + "|---:" * 6 + "|")
        for form in ("dynamo", "onnx", "executorch"):
            ours = run_json(program, form, str(tiny), str(made), str(runs))
            theirs = run_json(*peer, "export", form, str(tiny), str(made))
            megabytes = [(each["kilobytes"] - each["kilobytes_before"]) / 1024 for each in (ours, theirs)]
            print(f"| {form} | {ours['least'] * 1e3:.1f} | {theirs['least']:.1f} | {theirs['least'] / ours['least']:.0f} | {GOAL} | {megabytes[0]:.0f} "
                  f"| {megabytes[1]:.0f} |", flush=True)
        run_json(*peer, "make", "large", str(large))
        size = sum(file.stat().st_size for file in large.iterdir()) / 1e6
        print(f"\n| a checkpoint of {size:.0f} MB | Ferry, s | `cp` of both parts' weights, s | Ferry +MB |\n|---|---:|---:|---:|")
        for form in ("dynamo", "onnx", "executorch"):
            ours = run_json(program, form, str(large), str(made), str(runs))
            subprocess.run(["rm", "-r", str(made)], check=True)
            made.mkdir()
            copied = min(copy_seconds(large, made) for _ in range(runs))
            print(f"| {form} | {ours['least']:.2f} | {copied:.2f} | {(ours['kilobytes'] - ours['kilobytes_before']) / 1024:.0f} |", flush=True)
