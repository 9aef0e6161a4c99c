"""Time and memory of loading and saving .pt2 files, beside Python's torch.export.load and save of the same files in the same run."""

import pathlib
import subprocess
import tempfile
import time

from capture_time import libraries, python_of_setup, run_json
from compile_cost import Compiler, ROOT

MANY_NODES = 20_000
NODES_PER_LAYER = 51  # of bench/llama.hpp, about


def copy_seconds(source: pathlib.Path, target: pathlib.Path, runs: int) -> float:
    times = []
    for _ in range(runs):
        target.unlink(missing_ok=True)
        start = time.perf_counter()
        subprocess.run(["cp", "--reflink=never", str(source), str(target)], check=True)
        times.append(time.perf_counter() - start)
    target.unlink()
    return min(times)


def files(compiler: Compiler, runs: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        program = str(folder / "files")
        subprocess.run([*compiler.command, "-O2", str(ROOT / "bench/files.cpp"), "-o", program, *libraries(compiler)], check=True)
        peer = [python_of_setup(), str(ROOT / "bench/files_peer.py")]

        def made_by_ferry(layers: int, hidden: int, path: pathlib.Path) -> None:
            """Python saves it again: what is measured is a file of Python's."""
            own = folder / "own.pt2"
            subprocess.run([program, "make", str(layers), str(hidden), str(own)], check=True)
            subprocess.run([*peer, "again", str(own), str(path)], check=True)
            own.unlink()

        makers = {
            "tiny Llama, 24 layers": lambda path: subprocess.run([*peer, "export", "24", str(path)], check=True),
            f"{MANY_NODES} nodes": lambda path: made_by_ferry(MANY_NODES // NODES_PER_LAYER, 0, path),
            "1 GB of weights": lambda path: made_by_ferry(4, 2048, path),
        }
        print("| file | MB | nodes | | Ferry ms | Python ms | ratio | `cp` ms | Ferry +MB | Python +MB |")
        print("|---|---:|---:|---|---:|---:|---:|---:|---:|---:|")
        for title, make in makers.items():
            file, copy = folder / "file.pt2", folder / "copy.pt2"
            make(file)
            size = file.stat().st_size / 1e6
            copied = copy_seconds(file, copy, runs)
            for verb, words in (("load", [str(file)]), ("save", [str(file), str(copy)])):
                ours = run_json(program, verb, *words, str(runs))
                theirs = run_json(*peer, verb, *words, str(runs))
                megabytes = [(each["kilobytes"] - each["kilobytes_before"]) / 1024 for each in (ours, theirs)]
                print(f"| {title} | {size:.0f} | {ours['nodes']} | {verb} | {ours['least'] * 1e3:.1f} | {theirs['least'] * 1e3:.1f} "
                      f"| {theirs['least'] / ours['least']:.0f} | {copied * 1e3:.0f} | {megabytes[0]:.0f} | {megabytes[1]:.0f} |", flush=True)
            file.unlink()
            copy.unlink(missing_ok=True)
