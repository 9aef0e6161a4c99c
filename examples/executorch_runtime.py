"""ExecuTorch's runtime, from its wheel."""
import functools
import importlib.util
import pathlib

import torch  # the runtime's library needs torch's


@functools.cache
def runtime():
    """The extension module alone: the package around it needs more than what is installed."""
    package = importlib.util.find_spec("executorch").submodule_search_locations[0]
    (library,) = pathlib.Path(package, "extension", "pybindings").glob("_portable_lib*.so")
    spec = importlib.util.spec_from_file_location("_portable_lib", library)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load(program, tensors=None):
    """A program's methods, after the strictest checks that the runtime has; with the file of its tensors, if they are in one of their own."""
    return runtime()._load_for_executorch(str(program), data_path=tensors and str(tensors),
                                          program_verification=runtime().Verification.InternalConsistency)
