"""Exports subjects and checks Ferry on them: one job per line of standard input, as JSON, and one answer per line of what was
standard output. Stays for many jobs, since torch and transformers take seconds to import."""

import json
import os
import pathlib
import sys
import traceback
import warnings

import torch

import zoo_checks
from checks import check
from compare import PeerError, first_line
from exports import export
from python_executorch import python_executorch, python_executorch_of_zoo
from python_onnx import python_onnx
from zoo import ZOO


def answer_to(job):
    of_zoo = any(entry.name == job["name"] for entry in ZOO)
    if job.get("lower"):
        if of_zoo:
            return {"python": python_executorch_of_zoo(job["name"], pathlib.Path(job["cache"]), job["ferry"])}
        return {"python": python_executorch(job["name"], pathlib.Path(job["folder"]), job["ferry"])}
    if of_zoo:
        return {"results": zoo_checks.check(job["name"], job["ferry"], job["formats"], job["export_seconds"])}
    folder = export(job["name"], pathlib.Path(job["cache"])) if "folder" not in job else pathlib.Path(job["folder"])
    answer = {"folder": str(folder)}
    if job.get("ferry"):
        answer["results"] = check(job["name"], folder, job["ferry"], job["formats"])
    if job.get("beside_python"):
        answer["python"] = python_onnx(job["name"], folder)
    return answer


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # models print as they like
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    for line in sys.stdin:
        job = json.loads(line)
        try:
            answer = answer_to(job)
        except Exception as error:
            traceback.print_exc()
            answer = {"error": first_line(error), "blame": "python" if isinstance(error, (ImportError, PeerError)) else "error"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
