"""The ferry program's exit codes and streams: 0 done, 1 failed, 2 wrong usage; results on standard output only."""

import subprocess
import sys

ferry = sys.argv[1]
failures = []


def expect(arguments: list[str], code: int, out: str = "", err: str = "") -> None:
    run = subprocess.run([ferry, *arguments], capture_output=True, text=True)
    found = f"exit {run.returncode}, standard output {run.stdout!r}, standard error {run.stderr!r}"
    if run.returncode != code or out not in run.stdout or err not in run.stderr:
        failures.append(f"ferry {' '.join(arguments)}: expected exit {code}, {out!r} and {err!r}; found {found}")
    if code != 0 and run.stdout:
        failures.append(f"ferry {' '.join(arguments)}: a failure must print nothing on standard output; found {found}")


expect(["--help"], 0, out="Ferry exports PyTorch models")
for command, option in (("stages", "--ops"), ("export", "--dynamic"), ("run", "--outputs"), ("generate", "--prompt-ids"), ("inspect", "--json")):
    expect(["--help"], 0, out=command)
    expect([command, "--help"], 0, out=option)
expect(["--version"], 0, out=".")
for backend in ("dynamo", "onnx", "executorch"):
    expect(["stages", backend], 0, out="| # | stage | takes | entries |")
    expect(["stages", backend, "--ops"], 0, out="| 5 |")
expect([], 2, err="subcommand")
expect(["stages"], 2, err="backend is required")
expect(["stages", "tflite"], 2, err="tflite")
expect(["sail"], 2, err="sail")
expect(["export"], 2, err="IN is required")
expect(["export", "a.pt2", "-o", "b"], 2, err="--to is required")
expect(["export", "a.pt2", "--to", "pt2"], 2, err="--output")
expect(["export", "a.pt2", "--to", "tflite", "-o", "b"], 2, err="tflite")
expect(["run", "a.pt2", "--inputs", "b"], 2, err="--outputs is required")
expect(["run", "a.pt2", "--outputs", "b"], 2, err="--inputs is required")
expect(["inspect"], 2, err="FILE is required")
expect(["inspect", "a.pt2", "--xml"], 2, err="--xml")
expect(["inspect", "no_such_file.pt2"], 1, err="no_such_file.pt2")

print("\n".join(failures) or "the contract holds")
sys.exit(bool(failures))
