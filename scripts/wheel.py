#!/usr/bin/env python3
"""Makes the Python wheel: python/warpwise and, inside it, what the tarball has. No network, no packages of Python.

    scripts/wheel.py BUILD         # BUILD/bin/… -> BUILD/warpwise-VERSION-py3-none-manylinux_2_35_x86_64.whl

The package reaches its library by ctypes, so one wheel serves every Python from 3.9 on. The tag names the oldest glibc
that the tarball works with (LIMITS of packaging/lower_glibc.py).

A wheel is a zip file, and pip makes plain files of symbolic links. Where a program is there for its links alone (clang for
clang++), the link's name gets the content and the program itself is left out.
"""

import base64
import csv
import hashlib
import io
import os
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TAG = "py3-none-manylinux_2_35_x86_64"
INSIDE = "warpwise/_installation"
LEFT_OUT = ("share/man/", "share/bash-completion/", "share/zsh/", "share/fish/", "lib/cmake/", "examples/")
SUMMARY = "CUDA sources as Python functions: run, check and profile kernels without a GPU"


def tree_of_tarball(build: Path) -> Path:
    """What the tarball would have, as a folder."""
    folder = build / "wheel"
    subprocess.run([ROOT / "scripts/tarball.sh", build, folder], check=True)
    (tree,) = folder.glob("warpwise-*")
    return tree


def version_of(tree: Path) -> str:
    found = re.match(r"warpwise-(.+)-linux-x86_64$", tree.name)
    assert found, tree
    return found[1]


def files_of_tree(tree: Path) -> "list[tuple[str, Path]]":
    """Names below the package, and the files whose content they get."""
    files = []
    replaced = set()
    for path in sorted(tree.rglob("*")):
        name = path.relative_to(tree).as_posix()
        if path.is_dir() or name.startswith(LEFT_OUT):
            continue
        if path.is_symlink() and path.parent.name == "bin":
            replaced.add(path.resolve())
        files.append((name, path))
    return [(f"{INSIDE}/{name}", path) for name, path in files if path.is_symlink() or path.resolve() not in replaced]


def files_of_package() -> "list[tuple[str, Path]]":
    folder = ROOT / "python"
    sources = [p for p in sorted((folder / "warpwise").rglob("*")) if p.suffix in (".py", ".typed") or p.name == "py.typed"]
    return [(p.relative_to(folder).as_posix(), p) for p in sources]


def metadata(version: str) -> "dict[str, str]":
    description = (ROOT / "docs/python.md").read_text()
    return {
        "METADATA": (
            f"Metadata-Version: 2.1\nName: warpwise\nVersion: {version}\nSummary: {SUMMARY}\n"
            "Home-page: https://github.com/warpwise/warpwise\nLicense: Apache-2.0\nRequires-Python: >=3.9\n"
            "Classifier: Operating System :: POSIX :: Linux\nClassifier: Typing :: Typed\n"
            f"Description-Content-Type: text/markdown\n\n{description}"
        ),
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: scripts/wheel.py\nRoot-Is-Purelib: false\nTag: {TAG}\n",
        "entry_points.txt": "[console_scripts]\nwarpwise = warpwise.__main__:main\n",
        "LICENSE": (ROOT / "LICENSE").read_text(),
    }


class Wheel:
    """A zip file, and the list of what is in it."""

    def __init__(self, path: Path, moment: float) -> None:
        self.file = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
        self.moment = time.gmtime(moment)[:6]
        self.record: "list[tuple[str, str, str]]" = []

    def add(self, name: str, content: bytes, executable: bool = False) -> None:
        entry = zipfile.ZipInfo(name, self.moment)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if executable else 0o100644) << 16
        self.file.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append((name, f"sha256={digest}", str(len(content))))

    def close(self, info: str) -> None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([*self.record, (f"{info}/RECORD", "", "")])
        self.file.writestr(zipfile.ZipInfo(f"{info}/RECORD", self.moment), text.getvalue())
        self.file.close()


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: scripts/wheel.py BUILD")
    build = Path(sys.argv[1]).resolve()
    tree = tree_of_tarball(build)
    version = version_of(tree)
    stamp = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True)
    target = build / f"warpwise-{version}-{TAG}.whl"
    wheel = Wheel(target, float(stamp.stdout.strip() or time.time()))
    for name, path in files_of_package() + files_of_tree(tree):
        wheel.add(name, path.read_bytes(), os.access(path, os.X_OK))
    info = f"warpwise-{version}.dist-info"
    for name, text in metadata(version).items():
        wheel.add(f"{info}/{name}", text.encode())
    wheel.close(info)
    print(f"{target}: {target.stat().st_size >> 20} MiB")


if __name__ == "__main__":
    main()
