"""All that make_*.py beside it make, each in a folder of its name: in one process, as reading torch and transformers takes longer than the rest."""
import pathlib
import runpy
import sys

import torch

torch.set_num_threads(1)  # models are tiny, and tests run side by side

for script in sorted(pathlib.Path(__file__).parent.glob("make_*.py")):
    if script.name == pathlib.Path(__file__).name:
        continue
    folder = pathlib.Path(sys.argv[1], script.stem.removeprefix("make_"))
    folder.mkdir()
    sys.argv[1:] = [str(folder)]
    runpy.run_path(str(script), run_name="__main__")
    sys.argv[1:] = [str(folder.parent)]
