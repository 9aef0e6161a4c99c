"""What Ferry's headers cost a user at compile time: seconds of the compiler and bytes of object code."""

import dataclasses
import json
import pathlib
import re
import resource
import shlex
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include"

# Well above what is seen (about 2) and far below what a list that is walked anew for every entry would cost.
PIPELINE_BUDGET = 5


@dataclasses.dataclass(frozen=True)
class Cost:
    seconds: float
    bytes: int


@dataclasses.dataclass(frozen=True)
class Compiler:
    command: tuple[str, ...]

    @staticmethod
    def of_build_tree(build: pathlib.Path) -> "Compiler":
        """Takes the flags of a program that links all of Ferry, so that what is measured is what users compile."""
        units = json.loads((build / "compile_commands.json").read_text())
        words = shlex.split(next(unit["command"] for unit in units if "ferry_demo" in unit["command"]))
        kept = [words[0]]
        for word, following in zip(words[1:], words[2:] + [""]):
            if word in ("-I", "-isystem"):
                kept += [word, following]
            elif re.match(r"-(I|D|std=|O)", word) and word not in ("-I", "-isystem"):
                kept.append(word)
        return Compiler(tuple(kept))

    def cost(self, source: str, runs: int) -> Cost:
        with tempfile.TemporaryDirectory() as directory:
            unit, output = pathlib.Path(directory, "unit.cpp"), pathlib.Path(directory, "unit.o")
            unit.write_text(source)
            times = []
            for _ in range(runs):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.run([*self.command, "-c", str(unit), "-o", str(output)], check=True)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            return Cost(min(times), output.stat().st_size)


def foreign_includes(header: str, seen: set[str] | None = None) -> list[str]:
    """The includes of others that a header of ours brings with it, directly or through our own headers."""
    seen = set() if seen is None else seen
    found: list[str] = []
    for name in re.findall(r"^#include <(.+)>", (INCLUDE / header).read_text(), re.MULTILINE):
        if name in seen:
            continue
        seen.add(name)
        found += foreign_includes(name, seen) if (INCLUDE / name).exists() else [name]
    return found


def includes(names: list[str]) -> str:
    return "".join(f"#include <{name}>\n" for name in names)


def row(*cells: object) -> None:
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def headers(compiler: Compiler, runs: int) -> None:
    row("header", "seconds", "bare", "ratio", "object bytes", "bare")
    row(*["---"] * 6)
    bare_costs: dict[frozenset[str], Cost] = {}
    for folder in ("core", "tree"):
        for path in sorted((INCLUDE / "ferry" / folder).rglob("*.hpp")):
            header = str(path.relative_to(INCLUDE))
            needed = foreign_includes(header)
            key = frozenset(needed)
            if key not in bare_costs:
                bare_costs[key] = compiler.cost(includes(needed), runs)
            bare, ours = bare_costs[key], compiler.cost(includes([header]), runs)
            row(f"`{header}`", f"{ours.seconds:.2f}", f"{bare.seconds:.2f}", f"{ours.seconds / bare.seconds:.2f}",
                ours.bytes, bare.bytes)


def pipeline_source(entries: int) -> str:
    """A pipeline of so many translations, looked up once by a name that is known only at run time."""
    structs = "".join(
        f'struct entry_{i} {{\n    static constexpr auto target = ferry::op("aten::op_{i}.Tensor", "aten::op_{i}.Scalar");\n'
        f"    static int translate(Builder&);\n}};\n" for i in range(entries))
    names = ", ".join(f"entry_{i}" for i in range(entries))
    stages = 'struct my_stages : ferry::stages<"mine", ferry::stage<"translations", ferry::translations>> {};\n'
    return ("#include <ferry/core/extend.hpp>\nstruct Builder;\n" + stages + structs +
            f"using mine = ferry::extend<ferry::pipeline<my_stages>, ferry::translations<{names}>>;\n"
            "std::size_t find(std::string_view op) { return ferry::op_table<mine::stage<ferry::translations>>::find(op); }\n")


def pipelines(compiler: Compiler, runs: int) -> None:
    row("entries", "ops", "seconds", "against none", "object bytes")
    row(*["---"] * 5)
    empty = compiler.cost(pipeline_source(0), runs)
    for entries in (0, 50, 200):
        cost = compiler.cost(pipeline_source(entries), runs) if entries else empty
        ratio = cost.seconds / empty.seconds
        row(entries, 2 * entries, f"{cost.seconds:.2f}", f"{ratio:.2f}", cost.bytes)
        if ratio > PIPELINE_BUDGET:
            raise SystemExit(f"a pipeline of {entries} entries takes {ratio:.1f} times as long to compile as an empty one: "
                             f"over the budget of {PIPELINE_BUDGET}")


def user_unit(compiler: Compiler, runs: int) -> None:
    row("includes", "seconds", "ratio", "object bytes")
    row(*["---"] * 4)
    bare = compiler.cost(includes(["torch/nn.h"]), runs)
    for names in (["torch/nn.h"], ["ferry/ferry.hpp"], ["torch/nn.h", "ferry/ferry.hpp"]):
        cost = bare if names == ["torch/nn.h"] else compiler.cost(includes(names), runs)
        row(" + ".join(f"`{name}`" for name in names), f"{cost.seconds:.2f}", f"{cost.seconds / bare.seconds:.2f}", cost.bytes)
