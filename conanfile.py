import json
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import load


class FerryConan(ConanFile):
    name = "ferry"
    description = "Exports PyTorch models from C++ to .pt2, ONNX and ExecuTorch"
    license = "Apache-2.0"
    topics = ("pytorch", "onnx", "executorch", "export", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"compiled": [True, False], "with_pt2": [True, False], "with_onnx": [True, False], "with_executorch": [True, False]}
    default_options = {"compiled": False, "with_pt2": True, "with_onnx": True, "with_executorch": True}
    no_copy_source = True
    exports = "cmake/dependencies.json", "include/ferry/version.hpp"
    exports_sources = "CMakeLists.txt", "cmake/*", "include/*", "LICENSE"
    test_package_folder = "tests/consume/test_package"

    def configure(self):
        if self.options.compiled:
            self.package_type = "static-library"

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, "include", "ferry", "version.hpp"))
        self.version = ".".join(re.findall(r"#define FERRY_VERSION_\w+ (\d+)", text))

    def requirements(self):
        pins = json.loads(load(self, os.path.join(self.recipe_folder, "cmake", "dependencies.json")))
        minimum = pins["minimum"]
        self.requires("boost/[>=1.74]", transitive_headers=True)
        self.requires(f"libtorch/[>={minimum['torch']}]", transitive_headers=True, transitive_libs=True)
        if self.options.with_onnx:
            self.requires(f"onnx/[>={minimum['onnx']}]", transitive_headers=True, transitive_libs=True)
            self.requires("protobuf/[>=3.21]", transitive_headers=True, transitive_libs=True)
        if self.options.with_executorch:
            self.requires(f"executorch/[>={minimum['executorch']}]", transitive_headers=True)
            self.requires("flatbuffers/[>=2.0]", transitive_headers=True)

    def layout(self):
        cmake_layout(self)

    def package_id(self):
        if not self.info.options.compiled:
            self.info.clear()

    def validate(self):
        if self.settings.get_safe("compiler.cppstd"):
            check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for variable in ("FERRY_BUILD_TESTS", "FERRY_BUILD_EXAMPLES"):
            toolchain.cache_variables[variable] = False
        toolchain.cache_variables["FERRY_INSTALL_COMPILED"] = bool(self.options.compiled)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        if self.options.compiled:
            cmake.build(target="ferry_compiled")

    def package(self):
        CMake(self).install()

    def package_info(self):
        # find_package() is to find Ferry's own package file, which keeps torch's old protobuf headers away from onnx;
        # one generated from what follows would not. Generators for other build systems read the components.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self._component("core", ["boost::headers"])
        self.cpp_info.components["core"].builddirs = [os.path.join("share", "cmake", "ferry")]
        self._component("tree", ["core", "libtorch::libtorch"])
        if self.options.with_pt2:
            self._component("pt2", ["tree"])
        if self.options.with_onnx:
            self._component("onnx", ["tree", "onnx::onnx", "protobuf::libprotobuf"])
        if self.options.with_executorch:
            self._component("executorch", ["tree", "executorch::executorch", "flatbuffers::flatbuffers"])

        if self.options.compiled:
            self._component("compiled", [name for name in self.cpp_info.components if name is not None])
            self.cpp_info.components["compiled"].libs = ["ferry_compiled"]
            self.cpp_info.components["compiled"].libdirs = ["lib"]
            self.cpp_info.components["compiled"].defines = ["FERRY_COMPILED"]

    def _component(self, name, requires):
        component = self.cpp_info.components[name]
        component.set_property("cmake_target_name", f"ferry::{name}")
        component.requires = requires
        component.bindirs = []
        component.libdirs = []
