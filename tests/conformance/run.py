"""Programs that Python exports, loaded, run and written again by the ferry program, against Python's eager modules.

For every model and feature, Python exports a static and a dynamic .pt2 file. `ferry run` must equal eager, a dynamic file at
two sizes; what `ferry export --to pt2` makes of the file must equal eager in Python again, and what `--to onnx` makes of it in ONNX
Runtime, and what `--to executorch` makes of it in ExecuTorch's: by XNNPACK, and by kernels alone (portable), though not of images that take those
minutes. Beside that stands what Python's own exporters do with the model: OnnxExporter, and ExecutorchExporter, whose packages
`python3 cmake/setup.py --with lowering` installs. Exports are kept in a cache, and so is what these do.

So it is with timm's models, for any batch. Those of torchvision are TorchScript files, traced and scripted: `ferry export` makes both
formats of them, static and dynamic, in seconds; what it makes must equal eager, a dynamic one at another batch too, unless Ferry names
the dimension that a trace has baked in. `python3 cmake/setup.py --with zoo` installs both libraries. No exports of these are kept."""

import argparse
import ast
import fnmatch
import importlib.util
import json
import os
import pathlib
import queue
import re
import select
import subprocess
import sys
import threading
import time

import executorch_table
from models import MODELS
from zoo import ZOO

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FEATURES = HERE.parent / "pt2" / "feature_modules.py"
LIMIT = 600  # seconds for one subject
EXPORT_SECONDS = 3  # for one `ferry export` of a TorchScript file
QUICK_FEATURES = {"spectral_layer", "spectrogram"}  # part of the ordinary tests, as models with `quick` are
ELSEWHERE = {"custom_op_without_writes"}  # calls an op that only the C++ tests register: tests/pt2 runs it
ZOO_LIBRARIES = ROOT / "build" / "zoo"  # torchvision and timm, by cmake/setup.py
LOWERING_LIBRARIES = ROOT / "build" / "lowering"  # what executorch's Python needs, by cmake/setup.py
VARIANTS, FORMATS = ("static", "dynamic"), ("pt2", "onnx", "executorch", "portable")


def features():
    """Names of the functions with the decorator @feature: importing them would import torch."""
    tree = ast.parse(FEATURES.read_text())
    marked = [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and any(getattr(each, "id", "") == "feature" for each in node.decorator_list)]
    return [name for name in marked if name not in ELSEWHERE]


def peer():
    """A Python with torch and transformers: this one, or that of cmake/setup.py."""
    if importlib.util.find_spec("torch"):
        return sys.executable
    settings = ROOT / "build" / "deps.cmake"
    found = re.search(r'set\(FERRY_PYTHON "(.+)"\)', settings.read_text()) if settings.exists() else None
    if not found:
        sys.exit("conformance: no Python with torch: `make setup` installs one")
    return found.group(1)


def cache_directory():
    own = os.environ.get("FERRY_CACHE")
    base = pathlib.Path(own) if own else pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "ferry"
    return base / "conformance"


class Worker:
    """A worker.py that answers job by job; a new one is started where it has died or been too slow."""

    def __init__(self, python, log, *libraries):
        self.python, self.log, self.libraries, self.process = python, log, libraries, None

    def start(self):
        environment = dict(os.environ, OMP_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false", HF_HUB_OFFLINE="1", CUDA_VISIBLE_DEVICES="")
        if self.libraries:
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, [*map(str, self.libraries), os.environ.get("PYTHONPATH")]))
        self.process = subprocess.Popen([self.python, "-W", "ignore", str(HERE / "worker.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.log, text=True, env=environment)

    def ask(self, **job):
        if self.process is None:
            self.start()
        ready = True
        try:
            self.process.stdin.write(json.dumps(job) + "\n")
            self.process.stdin.flush()
            ready, _, _ = select.select([self.process.stdout], [], [], LIMIT)
            line = self.process.stdout.readline() if ready else ""
        except OSError:
            line = ""
        if line:
            return json.loads(line)
        self.stop(kill=True)
        return {"error": f"Python took longer than {LIMIT} s" if not ready else "Python ended without an answer"}

    def stop(self, kill=False):
        if self.process is None:
            return
        if kill:
            self.process.kill()
        self.process.stdin.close()
        self.process.wait()
        self.process = None


class Crew:
    """The workers of one thread. Each is started by its first job; those with libraries of their own are on their own, since
    transformers does other things where it finds these."""

    def __init__(self, options, log):
        here = peer()
        self.options, self.zoo = options, {model.name for model in ZOO}
        self.checker = Worker(here, log)
        self.exporter = Worker(options.python, log) if options.python else self.checker
        self.zoo_checker = Worker(here, log, ZOO_LIBRARIES)
        self.lowerer = Worker(here, log, LOWERING_LIBRARIES)
        self.zoo_lowerer = Worker(here, log, LOWERING_LIBRARIES, ZOO_LIBRARIES)

    def answer(self, name):
        """{"results": {variant: {format: what became of it}}, "python": {format: what Python's exporter does}}, or {"error"}"""
        answer = self.check(name)
        python = {"onnx": answer["python"]} if answer.get("python") else {}
        if "results" in answer and "executorch" in self.options.peers:
            python["executorch"] = self.lower(name, answer.get("folder"))
        return {**answer, "python": python}

    def check(self, name):
        job = {"name": name, "ferry": str(self.options.ferry), "formats": self.options.formats, "beside_python": "onnx" in self.options.peers}
        if name in self.zoo:
            return self.zoo_checker.ask(**job, export_seconds=self.options.export_seconds)
        if self.exporter is not self.checker:
            exported = self.exporter.ask(name=name, cache=str(self.options.cache))
            if "error" in exported:
                return exported
            job["folder"] = exported["folder"]
        return self.checker.ask(**job, cache=str(self.options.cache))

    def lower(self, name, folder):
        lowerer = self.zoo_lowerer if name in self.zoo else self.lowerer
        answer = lowerer.ask(lower=True, name=name, ferry=str(self.options.ferry), folder=folder, cache=str(self.options.cache))
        return answer.get("python") or dict.fromkeys(VARIANTS, {"verdict": "error", "reason": answer["error"]})

    def stop(self):
        for worker in (self.checker, self.exporter, self.zoo_checker, self.lowerer, self.zoo_lowerer):
            worker.stop()


def run_all(names, options, log):
    """Yields (name, {variant: {format: what became of it}}, {format: what Python's exporter does}, seconds) as they are done."""
    waiting, done = queue.SimpleQueue(), queue.SimpleQueue()
    for name in names:
        waiting.put(name)

    def serve():
        crew = Crew(options, log)
        while True:
            try:
                name = waiting.get_nowait()
            except queue.Empty:
                break
            start = time.monotonic()
            try:
                answer = crew.answer(name)
            except Exception as error:  # what goes wrong here must not look like a subject that was never there
                answer = {"error": repr(error)}
            failed = dict.fromkeys(options.formats, {"verdict": answer.get("blame", "error"), "reason": answer.get("error", "no answer")})
            results = answer.get("results") or dict.fromkeys(VARIANTS, failed)
            done.put((name, results, answer.get("python", {}), time.monotonic() - start))
        crew.stop()

    threads = [threading.Thread(target=serve) for _ in range(min(options.jobs, len(names)))]
    for thread in threads:
        thread.start()
    for _ in names:
        yield done.get()
    for thread in threads:
        thread.join()


NOT_ASKED = {"verdict": "none", "reason": ""}


def cell(found):
    verdict, reason = found["verdict"], found["reason"]
    text = "-" if verdict == "none" else f"{verdict}: {reason}" if reason else verdict
    text = text.replace("|", "/")
    return text if len(text) <= 90 else text[:87] + "..."


def onnx_peer(peers):
    """The cell of what Python's OnnxExporter does."""
    found = peers.get("onnx", NOT_ASKED)
    return cell({**found, "reason": found["reason"] or f"{found.get('nodes', '?')} nodes"})


def beside_executorch(wanted, rows, peers):
    """{(name, variant): (what Ferry makes, what Python makes)}, of the programs that one of them could make."""
    pairs = {(name, variant): (rows[name][variant]["executorch"], peers[name].get("executorch", {}).get(variant, NOT_ASKED))
             for name, _ in wanted for variant in VARIANTS}
    return {program: pair for program, pair in pairs.items() if any(found["verdict"] != "none" for found in pair)}


def peers_of(options):
    """The formats that Python's own exporters are asked for."""
    if not options.beside_python:
        return []
    peers = [each for each in ("onnx", "executorch") if each in options.formats]
    if "executorch" in peers and not LOWERING_LIBRARIES.exists():
        print("Nothing stands beside ExecuTorch: `python3 cmake/setup.py --with lowering` installs what Python's exporter needs.")
        peers.remove("executorch")
    return peers


def chosen(options):
    """[(name, kind)] in the order of the lists."""
    every = [(model.name, model.kind, model.quick) for model in MODELS] + [(name, "feature", name in QUICK_FEATURES) for name in features()]
    if not options.python:  # torchvision fits one version of torch
        every += [(model.name, model.kind, False) for model in ZOO]
    if options.features_only:
        every = [each for each in every if each[1] == "feature"]
    if options.quick:
        every = [each for each in every if each[2]]
    if options.only:
        every = [each for each in every if any(fnmatch.fnmatch(each[0], pattern) or each[1] == pattern for pattern in options.only)]
    return [(name, kind) for name, kind, _ in every]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="models and features of these names (*: any text) or kinds")
    parser.add_argument("--quick", action="store_true", help="the few models and features that are part of the ordinary tests")
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=list(FORMATS), help="what to check (default: all)")
    parser.add_argument("--beside-python", action="store_true",
                        help="show what Python's own exporters to ONNX and ExecuTorch do with each; takes hours the first time")
    parser.add_argument("--export-seconds", type=float, default=EXPORT_SECONDS, metavar="SECONDS",
                        help="what `ferry export` may take for a TorchScript file (default: %(default)s, for a release build)")
    parser.add_argument("--list", action="store_true", help="show what there is, and stop")
    parser.add_argument("--ferry", type=pathlib.Path, default=ROOT / "build" / "ferry", help="the program under test (default: %(default)s)")
    parser.add_argument("--python", metavar="PYTHON", help="make the exports with this Python's torch; without transformers, of the features only")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at once (default: %(default)s)")
    parser.add_argument("--cache", type=pathlib.Path, default=cache_directory(), help="where exports are kept (default: %(default)s)")
    parser.add_argument("--log", type=pathlib.Path, help="what Python prints goes there (default: nowhere)")
    options = parser.parse_args()
    options.features_only = False
    if options.python:
        probe = "import importlib.util, torch; print(bool(importlib.util.find_spec('transformers')), torch.__version__)"
        answer = subprocess.run([options.python, "-W", "ignore", "-c", probe], capture_output=True, text=True)
        if answer.returncode != 0:
            sys.exit(f"conformance: {options.python} has no torch")
        present, version = answer.stdout.split()
        options.features_only = present != "True"
        print(f"exports by torch {version}" + (", without transformers: features only" if options.features_only else ""))
    wanted = chosen(options)
    if not wanted:
        parser.error("nothing of that name; --list shows what there is")
    if options.list:
        for name, kind in wanted:
            print(f"{kind:20} {name}")
        return 0
    if not options.ferry.exists():
        parser.error(f"{options.ferry} is not there: `make ferry` builds it")
    options.peers = peers_of(options)

    kinds, start, rows, peers = dict(wanted), time.monotonic(), {}, {}
    with open(options.log or os.devnull, "w") as log:
        for name, results, python, seconds in run_all([name for name, _ in wanted], options, log):
            rows[name], peers[name] = results, python
            verdicts = ", ".join(f"{variant} {each} {cell(found)}" for variant, by_format in results.items() for each, found in by_format.items())
            print(f"[{len(rows)}/{len(wanted)}] {name}: {verdicts} ({seconds:.0f} s)", flush=True)

    columns = [(variant, each) for each in options.formats for variant in VARIANTS]
    heads = [f"{each}, {variant}" for variant, each in columns] + (["Python's OnnxExporter"] if "onnx" in options.peers else [])
    print("\n| model | kind | " + " | ".join(heads) + " |\n|---|---" + "|---" * len(heads) + "|")
    for name, kind in wanted:
        cells = [cell(rows[name][variant][each]) for variant, each in columns]
        if "onnx" in options.peers:
            cells.append(onnx_peer(peers[name]))
        print(f"| {name} | {kind} | " + " | ".join(cells) + " |")
    beside = beside_executorch(wanted, rows, peers) if "executorch" in options.peers else {}
    if beside:
        print("", *executorch_table.table(beside, cell), sep="\n")
    every = [(name, variant, each, rows[name][variant][each]["verdict"], rows[name][variant][each]["reason"]) for name in rows for variant, each in columns]
    every_peer = [(*program, "executorch by Python", python["verdict"], python["reason"]) for program, (_, python) in beside.items()]
    failures = [row for row in every + every_peer if row[3] in ("ferry", "error")]
    if failures:
        print("\nFailures:")
        for name, variant, each, _, reason in failures:
            print(f"- {name}, {variant} {each}: {reason}")
    models = sum(kinds[name] != "feature" for name in rows)
    print(f"\n{models} models and {len(rows) - models} features in {time.monotonic() - start:.0f} s")
    for each in options.formats:
        count = {verdict: sum(row[2] == each and row[3] == verdict for row in every) for verdict in ("ok", "refused", "python", "ferry", "error")}
        right = f"{count['ok'] + count['refused']} programs are right" + (f" ({count['refused']} refused, with good reason)" if count["refused"] else "")
        print(f"{each}: {right}, {count['ferry'] + count['error']} are not; {count['python']} that Python itself cannot make or run")
    if "onnx" in options.peers:
        verdicts = [python.get("onnx", NOT_ASKED)["verdict"] for python in peers.values()]
        print("Python's OnnxExporter: " + ", ".join(f"{verdicts.count(each)} {each}" for each in ("ok", "wrong", "fails")))
    print(*executorch_table.summary(beside), sep="\n", end="\n" if beside else "")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
