"""Puts the module that CMake has built, and the library it needs, into a wheel (pyproject.toml)."""

import os
import pathlib
import re
import shutil

import setuptools
from setuptools.command.build_py import build_py

ROOT = pathlib.Path(__file__).resolve().parent
BUILT = pathlib.Path(os.environ.get("NESTOR_BUILD", ROOT / "build/release")) / "python/nestor"
VERSION = re.search(r"project\(nestor VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


class BuildPackage(build_py):
    def run(self):
        super().run()
        target = pathlib.Path(self.build_lib) / "nestor"
        binaries = [*BUILT.glob("_nestor*.so"), *BUILT.glob("libnestor.so.*")]
        if len(binaries) != 2:
            raise SystemExit(f"{BUILT} has no module: build it first, with 'make python'")
        for binary in binaries:
            shutil.copy(binary.resolve(), target / binary.name)


class Binary(setuptools.Distribution):
    def has_ext_modules(self):
        return True


setuptools.setup(version=VERSION, packages=["nestor"], package_dir={"": "python"},
                 package_data={"nestor": ["py.typed", "*.pyi"]}, cmdclass={"build_py": BuildPackage},
                 distclass=Binary)
