#!/usr/bin/env python3
"""Includes each header of Ferry alone, in a compiler's front end: what it needs it must include itself. torch's headers, which most
of the time would go to, are compiled once, and definitions are read where they stand, as in a compiled Ferry."""

import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

INCLUDE = pathlib.Path(__file__).resolve().parent.parent / "include"
OF_OTHERS = "#include <boost/hana.hpp>\n#include <torch/library.h>\n"
WIDE_OF_OTHERS = OF_OTHERS + "#include <torch/torch.h>\n#include <torch/script.h>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True, help="a clang++")
    parser.add_argument("--flags", required=True, help="a response file with the include path")
    parser.add_argument("--wide", nargs="*", default=[], help="headers that may include all of torch")
    parser.add_argument("--narrow", nargs="*", default=[], help="macros for the others, with which torch refuses that")
    parser.add_argument("warnings", nargs="*", help="options for the compiler, after a --")
    options = parser.parse_args()
    narrow = [f"-D{macro}" for macro in options.narrow]
    command = [options.compiler, f"@{options.flags}", "-I", str(INCLUDE), "-DFERRY_COMPILED", *options.warnings]
    headers = sorted(str(path.relative_to(INCLUDE)) for path in INCLUDE.rglob("*.hpp"))
    headers = [name for name in headers if not name.startswith("ferry/compiled")]  # each a source of ferry::compiled

    with tempfile.TemporaryDirectory() as folder:
        def precompiled(name, text, macros):
            path = os.path.join(folder, name)
            subprocess.run([*command, *macros, "-w", "-fpch-instantiate-templates", "-x", "c++-header", "-", "-o", path], input=text, text=True, check=True)
            return [*macros, "-include-pch", path]

        few, all_of_torch = precompiled("few.pch", OF_OTHERS, narrow), precompiled("all.pch", WIDE_OF_OTHERS, [])

        def error_of(header):
            prepared = all_of_torch if header in options.wide else few
            done = subprocess.run([*command, *prepared, "-fsyntax-only", "-x", "c++", "-"], input=f"#include <{header}>\n",
                                  text=True, capture_output=True)
            return done.stderr if done.returncode else ""

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            failed = [(header, error) for header, error in zip(headers, pool.map(error_of, headers)) if error]
    for header, error in failed:
        print(f"{header} does not stand alone:\n{error}")
    print(f"{len(headers) - len(failed)} of {len(headers)} headers stand alone")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
