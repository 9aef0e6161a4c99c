"""Runs the benchmarks and prints their tables. Times are the least of several runs: machines are noisy, ratios less so."""

import argparse
import pathlib
import sys

import capture_time
import compile_cost
import executorch_time
import file_time
import generation_time
import onnx_time

BENCHMARKS = {
    "headers": ("Each header alone, against the third-party includes that it needs", compile_cost.headers),
    "pipelines": ("Pipelines of many entries", compile_cost.pipelines),
    "user": ("Files that use what they include, against torch/torch.h alone", compile_cost.user_files),
    "capture": ("Captures of a Llama-like module, beside Python's exporter", capture_time.capture),
    "files": ("Files of programs, beside Python's torch.export and cp", file_time.files),
    "onnx": ("ONNX files of a Llama-like module, beside Python's exporter", onnx_time.onnx),
    "executorch": ("ExecuTorch files with XNNPACK, beside Python's exporter", executorch_time.executorch),
    "generation": ("Parts of a generative model from its checkpoint, beside Python's exporters and cp", generation_time.generation),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="which to run: " + ", ".join(BENCHMARKS) + " (default: all)")
    parser.add_argument("--runs", type=int, default=3, help="how often each is measured (default: %(default)s)")
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"),
                        help="a configured build tree, for its compiler and flags (default: %(default)s)")
    options = parser.parse_args()
    unknown = set(options.names) - set(BENCHMARKS)
    if unknown:
        parser.error("no such benchmark: " + ", ".join(sorted(unknown)))
    compiler = compile_cost.Compiler.of_build_tree(options.build)
    for name in options.names or BENCHMARKS:
        title, run = BENCHMARKS[name]
        print(f"\n## {title}\n", flush=True)
        run(compiler, options.runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
