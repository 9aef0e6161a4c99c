"""What the tests of the ferry program share: calls of it, files for it, and comparison with eager."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch.utils import _pytree as pytree

FERRY = sys.argv[1]


class FerryTest(unittest.TestCase):
    """Each test has a folder of its own."""

    def setUp(self):
        torch.manual_seed(0)
        self._folder = tempfile.TemporaryDirectory(prefix="ferry_cli_")
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)

    def path(self, name):
        return str(self.folder / name)

    def call(self, *arguments, timeout=120):
        return subprocess.run([FERRY, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=timeout)

    def ferry(self, *arguments):
        """Must succeed; gives standard output."""
        done = self.call(*arguments)
        self.assertEqual(done.returncode, 0, f"ferry {arguments}: {done.stderr}")
        return done.stdout

    def refused(self, *arguments, says=(), code=1):
        """Must fail with one message, nothing on standard output and no new file, whole or not; gives the message."""
        before = self.files()
        done = self.call(*arguments)
        self.assertEqual(done.returncode, code, f"ferry {arguments}: {done.stdout} {done.stderr}")
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.files(), before)
        if code == 1:
            self.assertTrue(done.stderr.startswith("ferry: "), done.stderr)
            self.assertEqual(sum(line.startswith("ferry: ") for line in done.stderr.splitlines()), 1, done.stderr)
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, done.stderr)
        return done.stderr

    def exported(self, folder):
        """What an export has made, without weights that lie beside it and the checkpoint's configs, which go along."""
        return {name for name in os.listdir(self.path(folder)) if not name.endswith((".data", "config.json"))}

    def files(self):
        return {name: os.stat(self.path(name)).st_mtime_ns for name in os.listdir(self.folder)}

    def tensors(self, name, tensors):
        """A .safetensors file."""
        save_file({key: tensor.detach().clone().contiguous() for key, tensor in tensors.items()}, self.path(name))
        return self.path(name)

    def run_file(self, file, tensors, *options):
        """What `ferry run` gives, in order."""
        inputs = self.tensors("inputs.safetensors", tensors)
        self.ferry("run", file, "--inputs", inputs, "--outputs", self.path("outputs.safetensors"), *options)
        found = load_file(self.path("outputs.safetensors"))
        self.assertEqual(sorted(found, key=int), [str(position) for position in range(len(found))])
        return [found[str(position)] for position in range(len(found))]

    def assert_same(self, found, expected):
        """Tensors among the leaves, in order: element type, sizes, values."""
        expected = tensors_in(expected)
        self.assertEqual(len(found), len(expected))
        for ours, theirs in zip(found, expected):
            torch.testing.assert_close(ours, theirs.detach(), rtol=1e-5, atol=1e-5)


def tensors_in(value):
    return [leaf for leaf in pytree.tree_leaves(value) if isinstance(leaf, torch.Tensor)]


def by_position(*values):
    return {str(position): tensor for position, tensor in enumerate(tensors_in(values))}


def main():
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=1)
