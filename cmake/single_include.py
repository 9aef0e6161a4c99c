#!/usr/bin/env python3
"""Makes single_include/ferry/ferry.hpp, all of Ferry in one header, from include/ferry/ferry.hpp.

Ferry's own includes are put in place, each once; those of others stay. Comments are left out and indentation is by tabs: the file
is for compilers and version control, people read include/. With --check nothing is written, and the exit status says whether the
file is current.
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
TARGET = ROOT / "single_include" / "ferry" / "ferry.hpp"
BANNER = """\
// Ferry {version} in one header. Generated from include/ferry by `make single-include`: do not edit.

"""


def version():
    text = (ROOT / "include" / "ferry" / "version.hpp").read_text()
    return ".".join(re.findall(r"#define FERRY_VERSION_\w+ (\d+)", text))


def quote_own_includes(source, copy):
    """quom puts only quoted includes in place, and Ferry's are in angle brackets."""
    for header in source.rglob("*.hpp"):
        text = re.sub(r"(?m)^(\s*#\s*include\s*)<(ferry/[^>]+)>", r'\1"\2"', header.read_text())
        into = copy / header.relative_to(source)
        into.parent.mkdir(parents=True, exist_ok=True)
        into.write_text(text)


def compact(text):
    """Without comments that have a line of their own or follow a member, and with tabs in front. Ferry has no raw strings."""
    text = re.sub(r"(?m)^ *//.*\n|[ ]+///<.*$", "", text)
    text = re.sub(r"(?m)^(?:    )+", lambda blanks: "\t" * (len(blanks[0]) // 4), text)
    return re.sub(r"\n{3,}", "\n\n", text)


def generate(quom):
    with tempfile.TemporaryDirectory() as scratch:
        copy, out = Path(scratch) / "include", Path(scratch) / "ferry.hpp"
        quote_own_includes(ROOT / "include", copy)
        subprocess.run([quom, "--include_directory", copy, copy / "ferry" / "ferry.hpp", out], cwd=scratch, check=True)
        return BANNER.format(version=version()) + compact(out.read_text()).strip("\n") + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quom", default="quom", help="the quom program (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="only compare")
    options = parser.parse_args()

    quom = shutil.which(options.quom) or parser.error(f"there is no {options.quom}: `make single-include` brings it")
    text = generate(os.path.abspath(quom))
    current = TARGET.read_text() if TARGET.exists() else ""
    if text == current:
        return
    if options.check:
        changes = difflib.unified_diff(current.splitlines(True), text.splitlines(True), str(TARGET), "generated", n=1)
        sys.stdout.writelines(list(changes)[:40])
        sys.exit(f"{TARGET.relative_to(ROOT)} is not current: run `make single-include`")
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text)


if __name__ == "__main__":
    main()
