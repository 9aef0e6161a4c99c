#!/usr/bin/env python3
"""Makes single_include/ferry/ferry.hpp, all of Ferry in one header, from include/ferry/ferry.hpp; and beside it a header for each
backend that is large, which the first one includes where its library is there.

Ferry's own includes are put in place, each once; those of others stay. Comments are left out and indentation is by tabs: the files
are for compilers and version control, people read include/. With --check nothing is written, and the exit status says whether the
files are current.
"""

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAIN, BACKENDS = "ferry/ferry.hpp", ["ferry/onnx.hpp"]
OWN_INCLUDE = re.compile(r"(?m)^(\s*#\s*include\s*)<(ferry/[^>]+)>\n")
BANNER = """\
// Ferry {version}: {name}. Generated from include/ferry by `make single-include`: do not edit.

"""


def version():
    text = (ROOT / "include" / "ferry" / "version.hpp").read_text()
    return ".".join(re.findall(r"#define FERRY_VERSION_\w+ (\d+)", text))


def headers_of(main, apart):
    """All of Ferry's headers that one of them brings, without what is apart."""
    found, waiting = set(), [main]
    while waiting:
        name = waiting.pop()
        if name not in found and name not in apart:
            found.add(name)
            waiting += [each[1] for each in OWN_INCLUDE.findall((ROOT / "include" / name).read_text())]
    return found


def quote_own_includes(source, copy, apart, there):
    """quom puts only quoted includes in place, and Ferry's are in angle brackets. Those apart stay, those there already go."""

    def quoted(include):
        lead, name = include.groups()
        return include[0] if name in apart else "" if name in there else f'{lead}"{name}"\n'

    for header in source.rglob("*.hpp"):
        into = copy / header.relative_to(source)
        into.parent.mkdir(parents=True, exist_ok=True)
        into.write_text(OWN_INCLUDE.sub(quoted, header.read_text()))


def compact(text):
    """Without comments that have a line of their own or follow a member, and with tabs in front. Ferry has no raw strings."""
    text = re.sub(r"(?m)^ *//.*\n|[ ]+///<.*$", "", text)
    text = re.sub(r"(?m)^(?:    )+", lambda blanks: "\t" * (len(blanks[0]) // 4), text)
    return re.sub(r"\n{3,}", "\n\n", text)


def generate(quom, name):
    is_main = name == MAIN
    apart = BACKENDS if is_main else []
    there = set() if is_main else headers_of(MAIN, BACKENDS)
    with tempfile.TemporaryDirectory() as scratch:
        copy, out = Path(scratch) / "include", Path(scratch) / "out.hpp"
        quote_own_includes(ROOT / "include", copy, apart, there)
        subprocess.run([quom, "--include_directory", copy, copy / name, out], cwd=scratch, check=True)
        text = compact(out.read_text()).strip("\n") + "\n"
    if not is_main:
        text = text.replace("#pragma once\n", f"#pragma once\n\n#include <{MAIN}>\n", 1)
    return BANNER.format(version=version(), name=name) + text


def bring_up_to_date(target, text, check):
    current = target.read_text() if target.exists() else ""
    if text == current:
        return
    if check:
        changes = difflib.unified_diff(current.splitlines(True), text.splitlines(True), str(target), "generated", n=1)
        sys.stdout.writelines(list(changes)[:40])
        sys.exit(f"{target.relative_to(ROOT)} is not current: run `make single-include`")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quom", default="quom", help="the quom program (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="only compare")
    options = parser.parse_args()

    quom = shutil.which(options.quom) or parser.error(f"there is no {options.quom}: `make single-include` brings it")
    for name in [MAIN, *BACKENDS]:
        bring_up_to_date(ROOT / "single_include" / name, generate(os.path.abspath(quom), name), options.check)


if __name__ == "__main__":
    main()
