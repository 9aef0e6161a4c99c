"""Programs that Python exports, loaded, run and written again by the ferry program, against Python's eager modules.

For every model and feature, Python exports a static and a dynamic .pt2 file. `ferry run` must equal eager, a dynamic file at
two sizes; what `ferry export --to pt2` makes of the file must equal eager in Python again, and what `--to onnx` makes of it in ONNX
Runtime, and what `--to executorch` makes of it in ExecuTorch's: by XNNPACK, and by kernels alone (portable), though not of images that take those
minutes. Beside that stands what Python's own OnnxExporter does with the model. Exports are kept in a cache.

So it is with timm's models, for any batch. Those of torchvision are TorchScript files, traced and scripted: `ferry export` makes both
formats of them, static and dynamic, in seconds; what it makes must equal eager, a dynamic one at another batch too, unless Ferry names
the dimension that a trace has baked in. `python3 cmake/setup.py --with zoo` installs both libraries. Nothing of these is kept."""

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

from models import MODELS
from zoo import ZOO

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FEATURES = HERE.parent / "pt2" / "feature_modules.py"
LIMIT = 600  # seconds for one subject
EXPORT_SECONDS = 3  # for one `ferry export` of a TorchScript file
ELSEWHERE = {"custom_op_without_writes"}  # calls an op that only the C++ tests register: tests/pt2 runs it
LIBRARIES = ROOT / "build" / "zoo"  # torchvision and timm, by cmake/setup.py
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

    def __init__(self, python, log, libraries=None):
        self.python, self.log, self.libraries, self.process = python, log, libraries, None

    def start(self):
        environment = dict(os.environ, OMP_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false", HF_HUB_OFFLINE="1", CUDA_VISIBLE_DEVICES="")
        if self.libraries:
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(self.libraries), os.environ.get("PYTHONPATH")]))
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


def run_all(names, options, log):
    """Yields (name, {variant: {format: (verdict, reason)}}, what Python's OnnxExporter does, seconds) as they are done."""
    waiting, done = queue.SimpleQueue(), queue.SimpleQueue()
    for name in names:
        waiting.put(name)
    here, other, zoo = peer(), options.python, {model.name for model in ZOO}

    def one(name, checker, exporter, keeper):
        job = {"name": name, "ferry": str(options.ferry), "formats": options.formats, "beside_python": options.beside_python}
        if name in zoo:
            return keeper.ask(**job, export_seconds=options.export_seconds)
        if exporter is not checker:
            exported = exporter.ask(name=name, cache=str(options.cache))
            if "error" in exported:
                return exported
            job["folder"] = exported["folder"]
        return checker.ask(**job, cache=str(options.cache))

    def serve():
        checker = Worker(here, log)
        exporter = Worker(other, log) if other else checker
        keeper = Worker(here, log, LIBRARIES)  # on its own: transformers does other things where it finds these libraries
        while True:
            try:
                name = waiting.get_nowait()
            except queue.Empty:
                break
            start = time.monotonic()
            try:
                answer = one(name, checker, exporter, keeper)
            except Exception as error:  # what goes wrong here must not look like a subject that was never there
                answer = {"error": repr(error)}
            failed = dict.fromkeys(options.formats, (answer.get("blame", "error"), answer.get("error", "no answer")))
            results = answer.get("results") or dict.fromkeys(VARIANTS, failed)
            done.put((name, results, answer.get("python"), time.monotonic() - start))
        for worker in (checker, exporter, keeper):
            worker.stop()

    threads = [threading.Thread(target=serve) for _ in range(min(options.jobs, len(names)))]
    for thread in threads:
        thread.start()
    for _ in names:
        yield done.get()
    for thread in threads:
        thread.join()


def cell(verdict, reason):
    text = "-" if verdict == "none" else f"{verdict}: {reason}" if reason else verdict
    text = text.replace("|", "/")
    return text if len(text) <= 90 else text[:87] + "..."


def chosen(options):
    """[(name, kind)] in the order of the lists."""
    every = [(model.name, model.kind, model.quick) for model in MODELS] + [(name, "feature", False) for name in features()]
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
    parser.add_argument("--quick", action="store_true", help="the few models that are part of the ordinary tests")
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=list(FORMATS), help="what to check (default: all)")
    parser.add_argument("--beside-python", action="store_true", help="show what Python's OnnxExporter does with each; takes an hour the first time")
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

    kinds, start, rows, peers = dict(wanted), time.monotonic(), {}, {}
    with open(options.log or os.devnull, "w") as log:
        for name, results, python, seconds in run_all([name for name, _ in wanted], options, log):
            rows[name], peers[name] = results, python or {"verdict": "none", "reason": ""}
            verdicts = ", ".join(f"{variant} {each} {cell(*verdict)}" for variant, found in results.items() for each, verdict in found.items())
            print(f"[{len(rows)}/{len(wanted)}] {name}: {verdicts} ({seconds:.0f} s)", flush=True)

    columns = [(variant, each) for each in options.formats for variant in VARIANTS]
    heads = [f"{each}, {variant}" for variant, each in columns] + (["Python's OnnxExporter"] if options.beside_python else [])
    print("\n| model | kind | " + " | ".join(heads) + " |\n|---|---" + "|---" * len(heads) + "|")
    for name, kind in wanted:
        cells = [cell(*rows[name][variant][each]) for variant, each in columns]
        if options.beside_python:
            cells.append(cell(peers[name]["verdict"], peers[name]["reason"] or f"{peers[name].get('nodes', '?')} nodes"))
        print(f"| {name} | {kind} | " + " | ".join(cells) + " |")
    every = [(name, *column, *results[column[0]][column[1]]) for name, results in rows.items() for column in columns]
    failures = [row for row in every if row[3] in ("ferry", "error")]
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
    if options.beside_python:
        print("Python's OnnxExporter: " + ", ".join(f"{sum(peer['verdict'] == each for peer in peers.values())} {each}" for each in ("ok", "wrong", "fails")))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
