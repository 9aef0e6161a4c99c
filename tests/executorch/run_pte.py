"""Runs .pte files in ExecuTorch's runtime. Of a folder: `N.pte` with the inputs of its runs, `N.0.METHOD.in.safetensors` and so on, whose
names are numbers; what comes out is in `N.0.METHOD.out.safetensors`, or why nothing does in `N.0.METHOD.error`."""
import contextlib
import os
import pathlib
import signal
import sys
import tempfile

import torch
from safetensors.torch import load_file, save_file

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent.parent / "examples"))
from executorch_runtime import load, runtime


def run(program, inputs, outputs, method="forward"):
    """What comes out goes into a file: tensors by their position."""
    found = program.run_method(method, inputs)
    save_file({str(i): each.clone().contiguous() if isinstance(each, torch.Tensor) else torch.tensor(each)
               for i, each in enumerate(found) if each is not None}, outputs)


def apart(who, function, seconds=0):
    """Calls it in a process of its own: what the runtime does not like it ends the process for. An error says why it did not get to its end;
    it has so many seconds of the processor, however busy the machine is, or all of them for 0."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            function()
        except BaseException as error:
            os.write(write, (str(error) or type(error).__name__).encode())
        finally:
            os._exit(0)
    os.close(write)
    with open(read, errors="replace") as told:
        reason = told.read()
    status = os.waitpid(child, 0)[1]
    if status != 0:
        reason = f"{who} takes longer than {seconds} s" if os.WTERMSIG(status) == signal.SIGPROF else f"{who} aborts"
    if reason:
        raise RuntimeError(reason)


def run_apart(program, inputs, seconds=0):
    """{position: output}, or an error."""
    with tempfile.TemporaryDirectory() as folder:
        outputs = pathlib.Path(folder, "outputs")
        apart("the runtime", lambda: run(load(program), inputs, outputs), seconds)
        return {int(name): tensor.clone() for name, tensor in load_file(outputs).items()}


def run_all(folder, program):
    loaded = None
    for inputs in sorted(folder.glob(f"{program.stem}.*.in.safetensors")):
        name = inputs.name.removesuffix(".in.safetensors")
        failed = folder / f"{name}.error"
        failed.write_text("the runtime aborts")  # unless it is taken back
        try:
            loaded = loaded or load(program)
            given = load_file(inputs)
            run(loaded, [given[str(i)] for i in range(len(given))], folder / f"{name}.out.safetensors", name.split(".")[2])
            failed.unlink()
        except Exception as error:
            failed.write_text(str(error))


def main():
    folder = pathlib.Path(sys.argv[1])
    programs = sorted(folder.glob("*.pte"), key=lambda path: int(path.stem))
    torch.set_num_threads(1)
    runtime()
    done = 0
    while done < len(programs):  # another process goes on where one ended
        read, write = os.pipe()

        def child():
            for program in programs[done:]:
                os.write(write, b".")
                run_all(folder, program)

        with contextlib.suppress(RuntimeError):
            apart("the runtime", child)
        os.close(write)
        with open(read, "rb") as told:
            done += len(told.read())


if __name__ == "__main__":
    main()
