#!/usr/bin/env python3
"""Makes single_include/ferry/ferry.hpp, all of Ferry in one header, from include/ferry/ferry.hpp; and beside it a header for each
backend that is large, which the first one includes where its library is there.

Ferry's own includes are put in place, each once; those of others stay. Definitions of what may be compiled once (`*-inl.hpp`) come
last, for header-only programs and for the one source that defines FERRY_COMPILED_SOURCE. Comments are left out and indentation is by tabs: the files
are for compilers and version control, people read include/. With --check nothing is written, and the exit status says whether the
files are current.
"""

import argparse
import collections
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAIN, BACKENDS = "ferry/ferry.hpp", ["ferry/pt2.hpp", "ferry/onnx.hpp", "ferry/executorch.hpp"]
LIBRARY_OF = {MAIN: "", "ferry/pt2.hpp": "pt2", "ferry/onnx.hpp": "onnx", "ferry/executorch.hpp": "executorch"}  # what compiled.hpp asks for
OWN_INCLUDE = re.compile(r"(?m)^(\s*#\s*include\s*)<(ferry/[^>]+)>\n")
INCLUDED_BACKEND = re.compile(r"#if __has_include\(.*\n#include <ferry/\w+\.hpp>\n#endif\n")
DEFINITIONS = re.compile(r"#ifndef FERRY_COMPILED\n(?:#include <ferry/.*-inl\.hpp>\n)+#endif\n")
BANNER = """\
// Ferry {version}: {name}. Generated from include/ferry by `make single-include`: do not edit.

"""
# Definitions come last here: where a pipeline is named, the entries of Ferry's own lists are only declared.
MARK = "#define FERRY_SINGLE_HEADER\n"


def version():
    text = (ROOT / "include" / "ferry" / "version.hpp").read_text()
    return ".".join(re.findall(r"#define FERRY_VERSION_\w+ (\d+)", text))


def own_includes(name, with_definitions=True):
    """Pairs of what must be true for an include, if anything, and what is included."""
    text = (ROOT / "include" / name).read_text()
    if not with_definitions:
        text = DEFINITIONS.sub("", text)
    condition, found = "", []
    for line in text.splitlines(keepends=True):
        if line.startswith("#if"):
            condition = line
        elif line.startswith("#endif"):
            condition = ""
        elif include := OWN_INCLUDE.match(line):
            found.append((condition if "__has_include" in condition else "", include[2]))
    return found


def headers_of(main, apart=(), with_definitions=True):
    """All of Ferry's headers that one of them brings, without what is apart, each with its condition; definitely comes first."""
    found = {}
    waiting = [("", main)]
    while waiting:
        waiting.sort(key=lambda each: each[0] != "")
        condition, name = waiting.pop(0)
        if name not in found and name not in apart:
            found[name] = condition
            waiting += [(own or condition, each) for own, each in own_includes(name, with_definitions)]
    return found


def quote_own_includes(source, copy, apart, there):
    """quom puts only quoted includes in place, and Ferry's are in angle brackets. Those apart stay, those there already go."""

    def quoted(include):
        lead, name = include.groups()
        return include[0] if name in apart else "" if name in there else f'{lead}"{name}"\n'

    for header in source.rglob("*.hpp"):
        into = copy / header.relative_to(source)
        into.parent.mkdir(parents=True, exist_ok=True)
        into.write_text(OWN_INCLUDE.sub(quoted, DEFINITIONS.sub("", header.read_text())))


def conditional(headers):
    """Includes under their conditions."""
    return "".join(f'{condition}#include "{name}"\n{"#endif" if condition else ""}\n' for name, condition in headers.items())


def shared_by_backends():
    """What more than one of them has, and no other part of Ferry: it goes into the main header."""
    counts = collections.Counter(header for each in BACKENDS for header in headers_of(each))
    return {header for header, count in counts.items() if count > 1} - set(headers_of(MAIN, BACKENDS))


def closing_part(name, there, sources):
    """What definitions are made of, and what else the backends' declarations need of this file."""
    everything, declared = headers_of(name, set(BACKENDS) - {name}), headers_of(name, set(BACKENDS) - {name}, False)
    early = {}
    if name == MAIN:
        everything |= dict.fromkeys(sorted(shared_by_backends()), "")
        needed = set().union(*(headers_of(each, with_definitions=False) for each in BACKENDS))
        early = {each: condition for each, condition in everything.items() if each in needed - set(declared)}
    late = {each: condition for each, condition in everything.items()
            if each not in there and each not in early and (each.endswith("-inl.hpp") or each not in declared)}
    return (conditional(early) + "#if !defined(FERRY_COMPILED) || defined(FERRY_COMPILED_SOURCE)\n" + conditional(late) +
            "#endif\n#ifdef FERRY_COMPILED_SOURCE\n" + conditional(sources) + "#endif\n")


MOST_TABS = 2  # lines that go on are aligned with what is far to the right


def without_remark(line):
    code, slashes, _ = line.partition("  //")
    return code + "\n" if slashes and code.count('"') % 2 == 0 else line


def compact(text):
    """Without comments, with few tabs in front, and no line empty. Ferry has no raw strings."""
    text = re.sub(r"(?m)^ *//.*\n", "", text)
    text = "".join(map(without_remark, text.splitlines(keepends=True)))
    text = re.sub(r"(?m)^    +", lambda blanks: "\t" * min(len(blanks[0]) // 4, MOST_TABS), text)
    return re.sub(r"\n{2,}", "\n", without_repeated_includes(text))


def without_repeated_includes(text):
    """Each header of others once, but where only a condition has brought it before."""
    seen, kept = [set()], []
    for line in text.splitlines(keepends=True):
        if line.startswith("#if"):
            seen.append(set())
        elif line.startswith("#endif"):
            seen.pop()
        elif line.startswith(("#else", "#elif")):
            seen[-1] = set()
        elif line.startswith("#include <") and not line.startswith("#include <ferry/"):
            if any(line in each for each in seen):
                continue
            seen[-1].add(line)
        kept.append(line)
    return "".join(kept)


def generate(quom, name):
    is_main = name == MAIN
    apart = BACKENDS if is_main else []
    there = set() if is_main else set(headers_of(MAIN, BACKENDS)) | shared_by_backends()
    sources = {each: condition for each, condition in headers_of("ferry/compiled.hpp").items()
               if each.startswith("ferry/compiled/") and LIBRARY_OF[name] in condition and bool(condition) != is_main}
    with tempfile.TemporaryDirectory() as scratch:
        copy, out = Path(scratch) / "include", Path(scratch) / "out.hpp"
        quote_own_includes(ROOT / "include", copy, apart, there)
        text = (copy / name).read_text()
        backends = "".join(INCLUDED_BACKEND.findall(text)) if is_main else ""
        text = INCLUDED_BACKEND.sub("", text) if is_main else text
        (copy / name).write_text(text + "\n" + closing_part(name, there, sources) + backends)
        subprocess.run([quom, "--include_directory", copy, copy / name, out], cwd=scratch, check=True)
        text = compact(out.read_text()).strip("\n") + "\n"
    first = MARK if is_main else f"\n#include <{MAIN}>\n"
    text = text.replace("#pragma once\n", f"#pragma once\n{first}", 1)
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
