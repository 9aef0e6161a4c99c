"""Ferry's .pte files beside Python's, by the figures of `ferry inspect`: a table, and who delegates, plans and writes how much."""

import statistics
from dataclasses import dataclass
from typing import Callable

NOT_COMPUTING = ("executorch_prim::", "aten::sym_")  # views, sizes, and arithmetic on numbers


def share(found):
    """Of the nodes that compute something, those that XNNPACK computes."""
    delegated = sum(method["delegated_nodes"] for method in found["methods"])
    kernels = sum(count for method in found["methods"] for kernel, count in method["kernels"].items() if not kernel.startswith(NOT_COMPUTING))
    return delegated / (delegated + kernels) if delegated + kernels else 1.0


def partitions(found):
    return sum(method["delegates"] for method in found["methods"])


def planned(found):
    return sum(method["planned_bytes"] for method in found["methods"])


def percent(part):
    return f"{100 * part:.0f} %"


def size(count):
    return f"{count / 2**20:.1f} MB" if count >= 2**20 else f"{count / 2**10:.0f} KB" if count >= 2**10 else f"{count:.0f} bytes"


@dataclass(frozen=True)
class Measure:
    name: str
    of: Callable
    text: Callable
    worse: str  # what Ferry does where it is worse than Python
    more_is_better: bool = False

    def is_worse(self, ferry, python):
        return self.of(ferry) < self.of(python) if self.more_is_better else self.of(ferry) > self.of(python)

    def summary(self, every):
        """Of one exporter; shares do not add up."""
        figures = [self.of(found) for found in every]
        middle = f"median {self.text(statistics.median(figures))}"
        return f"mean {self.text(statistics.mean(figures))}, {middle}" if self.more_is_better else f"{self.text(sum(figures))} in all, {middle}"


MEASURES = [
    Measure("delegated", share, percent, "delegates less", more_is_better=True),
    Measure("partitions", partitions, lambda count: f"{count:g}", "has more partitions"),
    Measure("planned", planned, size, "plans more"),
    Measure("file", lambda found: found["bytes"], size, "writes more"),
]


def works(found):
    return found["verdict"] == "ok"


def cell(found, text_of):
    """`text_of` is for verdicts without figures, as the other tables have them."""
    if not works(found):
        return text_of(found)
    return f"right: {percent(share(found))} in {partitions(found)}, {size(planned(found))} planned, {size(found['bytes'])}"


def table(rows, text_of):
    """`rows`: {(name, variant): (Ferry's, Python's)}"""
    yield "| model | variant | Ferry: delegated in partitions, planned memory, file | Python |"
    yield "|---|---|---|---|"
    for (name, variant), (ferry, python) in rows.items():
        yield f"| {name} | {variant} | {cell(ferry, text_of)} | {cell(python, text_of)} |"


def where_worse(measure, both):
    """Names every program in which Ferry is worse, with both figures."""
    worse = [(program, *pair) for program, pair in both.items() if measure.is_worse(*pair)]
    named = "; ".join(f"{name} {variant} ({measure.text(measure.of(ferry))}, not {measure.text(measure.of(python))})"
                      for (name, variant), ferry, python in worse)
    return f"Ferry {measure.worse} than Python in {len(worse)}" + (f": {named}" if worse else "")


NOT_ALIKE = ("- memory is planned for the largest sizes, which each exporter chooses for itself; of torchvision's models Ferry opens all sizes, "
             "Python the batch")


def summary(rows):
    """Of each variant alone, since dynamic programs plan memory for sizes that are not alike."""
    for variant in dict.fromkeys(variant for _, variant in rows):
        those = {program: pair for program, pair in rows.items() if program[1] == variant}
        both = {program: pair for program, pair in those.items() if all(map(works, pair))}
        right = [sum(map(works, side)) for side in zip(*those.values())]
        yield f"ExecuTorch, {variant}: of {len(those)} programs Ferry makes {right[0]} that are right, Python {right[1]}, both {len(both)}"
        if both:
            ferry, python = zip(*both.values())
            yield from (f"- {measure.name}: Ferry {measure.summary(ferry)}; Python {measure.summary(python)}" for measure in MEASURES)
            yield from (f"- {where_worse(measure, both)}" for measure in MEASURES)
            yield from [NOT_ALIKE] if variant == "dynamic" else []
            yield f"- Python takes {statistics.median(found['seconds'] for found in python):.0f} s for a program (median)"
    for versions in sorted({python["untested"] for _, python in rows.values() if python.get("untested")}):
        yield f"Python's ExecutorchExporter ran with versions that it is not tested with: {versions}"
