"""What Ferry's headers cost a user at compile time: seconds of the compiler and bytes of object code."""

import dataclasses
import json
import os
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
    memory: int  # bytes at the compiler's largest


def run_alone(command: list[str]) -> resource.struct_rusage:
    """What a command used, with all that it started."""
    _, status, usage = os.wait4(subprocess.Popen(command).pid, 0)
    if status != 0:
        raise SystemExit(f"this failed: {shlex.join(command)}")
    return usage


@dataclasses.dataclass(frozen=True)
class Compiler:
    command: tuple[str, ...]

    @staticmethod
    def of_build_tree(build: pathlib.Path) -> "Compiler":
        """Takes the flags of a program that links all of Ferry, so that what is measured is what users compile, header-only."""
        units = json.loads((build / "compile_commands.json").read_text())
        words = shlex.split(next(unit["command"] for unit in units if "ferry_demo" in unit["command"]))
        kept = [words[0]]
        for word, following in zip(words[1:], words[2:] + [""]):
            if word in ("-I", "-isystem"):
                kept += [word, following]
            elif re.match(r"-(I|D|std=|O)", word) and word not in ("-I", "-isystem", "-DFERRY_COMPILED"):
                kept.append(word)
        return Compiler(tuple(kept))

    def cost(self, source: str, runs: int, *flags: str) -> Cost:
        with tempfile.TemporaryDirectory() as directory:
            unit, output = pathlib.Path(directory, "unit.cpp"), pathlib.Path(directory, "unit.o")
            unit.write_text(source)
            usages = [run_alone([*self.command, *flags, "-c", str(unit), "-o", str(output)]) for _ in range(runs)]
            return Cost(min(usage.ru_utime + usage.ru_stime for usage in usages), output.stat().st_size,
                        max(usage.ru_maxrss for usage in usages) * 1024)


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


MODEL = """
struct Net : torch::nn::Module {
    torch::nn::Linear up{register_module("up", torch::nn::Linear(4, 8))};
    torch::nn::Linear down{register_module("down", torch::nn::Linear(8, 2))};
    at::Tensor forward(const at::Tensor& x) { return down(torch::relu(up(x))); }
};
at::Tensor run(const at::Tensor& x) { return Net{}.forward(x); }
"""
EXPORT = 'export_model(std::make_shared<Net>(), ferry::inputs("x", at::ones({2, 4})), {.dynamic = true})'


def extended_pipeline(entries: int) -> str:
    """So many translations of one's own."""
    structs = "".join(
        f'struct my_op_{i} {{\n    static constexpr auto target = ferry::op("mine::op_{i}");\n'
        f'    static ferry::onnx::Ref translate(ferry::onnx::Translation& t) {{ return t.add("Relu", {{t.tensor("x")}}); }}\n}};\n'
        for i in range(entries))
    names = ", ".join(f"my_op_{i}" for i in range(entries))
    return structs + f"using mine = ferry::extend<ferry::onnx_pipeline, ferry::translations<{names}>>;\n"


# What a user's file does, its includes and its code; and how much longer than torch/torch.h alone it may take to compile, the compiled
# way and header-only.
USER_FILES = {
    "loads a `.pt2` and runs it": (
        ["ferry/pt2/load.hpp", "ferry/program/module.hpp"],
        'void use() { static_cast<void>(ferry::load("x.pt2").module()(at::ones({1, 4}))); }', 1.4, 1.8),
    "`DynamoExporter`, `save`": (
        ["ferry/dynamo/exporter.hpp", "ferry/pt2/save.hpp"],
        f'void use() {{ ferry::DynamoExporter{{}}.{EXPORT}.save("x.pt2"); }}', 1.4, 2.5),
    "`ferry/ferry.hpp`, `OnnxExporter`, `save`": (
        ["ferry/ferry.hpp"], f'void use() {{ ferry::OnnxExporter{{}}.{EXPORT}.save("x.onnx"); }}', 1.4, 4.0),
    "`ExecutorchExporter`, `save`": (
        ["ferry/executorch/exporter.hpp"], f'void use() {{ ferry::ExecutorchExporter{{}}.{EXPORT}.save("x.pte"); }}', 1.4, 4.0),
    "`OnnxExporter` with a pipeline of 10 more entries": (
        ["ferry/ferry.hpp"],
        extended_pipeline(10) + f'void use() {{ ferry::OnnxExporter<mine>{{}}.{EXPORT}.save("x.onnx"); }}', 1.4, 4.0),
}


def user_files(compiler: Compiler, runs: int) -> None:
    """Each file is measured between two of `torch/torch.h` alone: over the minutes of all of them a machine's speed changes by half."""
    row("the file", "way", "seconds", "alone", "ratio", "goal", "memory GB", "object MB")
    row(*["---"] * 8)

    def alone() -> Cost:
        return compiler.cost(includes(["torch/torch.h"]) + MODEL, runs, "-O2")

    before = alone()
    row("`torch/torch.h` alone", "", f"{before.seconds:.1f}", "", "", "", f"{before.memory / 1e9:.1f}", f"{before.bytes / 1e6:.1f}")
    for what, (headers_used, code, compiled, header_only) in USER_FILES.items():
        source = includes(["torch/torch.h", *headers_used]) + MODEL + code
        for way, flags, goal in (("compiled", ["-DFERRY_COMPILED"], compiled), ("header-only", [], header_only)):
            cost, after = compiler.cost(source, runs, "-O2", *flags), alone()
            bare = (before.seconds + after.seconds) / 2
            row(what, way, f"{cost.seconds:.1f}", f"{bare:.1f}", f"{cost.seconds / bare:.2f}", goal, f"{cost.memory / 1e9:.1f}",
                f"{cost.bytes / 1e6:.1f}")
            before = after
