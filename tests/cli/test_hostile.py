"""Files that are something else, or damaged: an error with exit code 1 or a valid answer, never a crash, and nothing left behind."""
import os
import random

import torch

import models
from support import FerryTest, main


def damaged(data, seed):
    """A seeded corruption: bits flipped, a piece cut out, zeroed or doubled, or the end missing."""
    chance = random.Random(seed)
    data = bytearray(data)
    kind = chance.randrange(5)
    at = chance.randrange(len(data))
    length = chance.randrange(1, 64)
    if kind == 0:
        for _ in range(chance.randrange(1, 9)):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    elif kind == 1:
        del data[at : at + length]
    elif kind == 2:
        data[at : at + length] = bytes(len(data[at : at + length]))
    elif kind == 3:
        data[at:at] = data[at : at + length]
    else:
        del data[at:]
    return bytes(data)


class Hostile(FerryTest):
    def write(self, name, data):
        (self.folder / name).write_bytes(data)
        return self.path(name)

    def test_other_kinds_of_files(self):
        torch.save({"a": torch.zeros(3)}, self.path("state.pt"))
        cases = {
            "holds tensors, not a model": self.tensors("model.pt2", {"x": torch.zeros(3)}),
            "holds objects of Python": self.path("state.pt"),
            "no file of a model": self.write("text.pt2", b"hello"),
            "No such file": self.path("absent.pt2"),
            "not a readable zip archive": self.write("cut.pt2", b"PK\x03\x04" + bytes(100)),
        }
        cases["no file of a model "] = self.write("empty.pt2", b"")
        given = self.tensors("in.safetensors", {"x": torch.zeros(3)})
        for says, file in cases.items():
            with self.subTest(says):
                for command in (["run", file, "--inputs", given, "--outputs", self.path("o")], ["inspect", file],
                                ["export", file, "--to", "pt2", "-o", self.path("o")]):
                    self.refused(*command, says=says.strip())
        for command in (["run", self.folder, "--inputs", given, "--outputs", self.path("o")], ["inspect", self.folder]):
            self.refused(*command, says="Is a directory")
        self.refused("export", self.folder, "--to", "pt2", "-o", self.path("o"), says="it has no config.json")
        program = self.write("model.bin", b"\x1c\x00\x00\x00ET12eh00" + bytes(32))
        for command in (["run", program, "--inputs", given, "--outputs", self.path("o")], ["inspect", program]):
            self.refused(*command, says="the program of the ExecuTorch file is damaged")
        self.refused("export", program, "--to", "pt2", "-o", self.path("o"), says="an ExecuTorch program is not exported again")
        self.refused("inspect", self.write("dummy.pte", b"?"), says="the program of the ExecuTorch file is damaged")  # nothing in it says what it is
        self.refused("inspect", self.write("dummy.onnx", b"?"), says="no ONNX model")

    def test_inputs_that_are_no_tensors(self):
        torch.export.save(torch.export.export(models.Mlp(), (torch.randn(3, 4),)), self.path("model.pt2"))
        for data in (b"", b"hello", bytes(8), b"\xff" * 64, b"\x02" + bytes(7) + b"[]"):
            file = self.write("in.safetensors", data)
            self.refused("run", self.path("model.pt2"), "--inputs", file, "--outputs", self.path("o"), says=file)

    def survive(self, make_command, data, seeds, name):
        """Each damaged file gives exit code 0 or 1."""
        refused = 0
        for seed in seeds:
            with self.subTest(seed=seed):
                file = self.write(name, damaged(data, seed))
                before = set(os.listdir(self.folder))
                done = self.call(*make_command(file), timeout=60)
                self.assertIn(done.returncode, (0, 1), done.stderr)
                refused += done.returncode
                if done.returncode == 1:
                    self.assertTrue(done.stderr.startswith("ferry: "), done.stderr)
                    self.assertEqual(set(os.listdir(self.folder)), before)
                else:
                    for left in set(os.listdir(self.folder)) - before:
                        os.remove(self.path(left))
        self.assertGreater(refused, len(seeds) // 3)

    def test_damaged_programs(self):
        torch.export.save(torch.export.export(models.Nested(), models.Nested.arguments(3), dynamic_shapes=None), self.path("good.pt2"))
        data = (self.folder / "good.pt2").read_bytes()
        self.survive(lambda file: ["export", file, "--to", "pt2", "-o", self.path("o")], data, range(20), "bad.pt2")

    def test_damaged_scripts(self):
        torch.jit.save(torch.jit.script(models.Mlp()), self.path("good.pt"))
        data = (self.folder / "good.pt").read_bytes()
        given = self.tensors("in.safetensors", {"x": torch.randn(3, 4)})
        self.survive(lambda file: ["run", file, "--inputs", given, "--outputs", self.path("o")], data, range(100, 112), "bad.pt")

    def test_damaged_inputs(self):
        torch.export.save(torch.export.export(models.Mlp(), (torch.randn(3, 4),)), self.path("model.pt2"))
        given = self.tensors("good.safetensors", {"x": torch.randn(3, 4)})
        data = open(given, "rb").read()
        self.survive(lambda file: ["run", self.path("model.pt2"), "--inputs", file, "--outputs", self.path("o")], data, range(200, 212), "bad.safetensors")


if __name__ == "__main__":
    main()
