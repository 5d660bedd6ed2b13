"""Build a wheel with compiled kernels, so that nobody who installs it waits for a compiler.

    python packaging/build_wheel.py [--families x86-64-v4 x86-64-v3] [--out dist]

Python here is one with everything that the program needs, setuptools and Babel; the wheel is for
its version and for exactly its Numba.  Each family of processors takes two minutes.  Any processor
can compile for any family.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHIPPED = (
    "mechstudio",
    "resources",
    "samples",
    "pyproject.toml",
    "setup.py",
    "README.md",
    "LICENSE",
)
STORE = "kernels"  # in the tree of the wheel; setup.py takes it into the package
# compiles all kernels, or loads them, and prints the files that were read
COMPILE = """
import sys
read = {}
def note(event, arguments):
    if event == "open" and str(arguments[0]).endswith((".nbi", ".nbc")):
        read[str(arguments[0])] = None
sys.addaudithook(note)
from mechstudio.engine.contacts.warmup import compile_everything
compile_everything()
print(*read, sep="\\n")
"""
BUILD = """
import sys
from setuptools.build_meta import build_wheel
options = [f"--python-tag={sys.argv[2]}", f"--plat-name={sys.argv[3]}"]
print(build_wheel(sys.argv[1], {"--build-option": options}))
"""


def run(program, *arguments, cwd=ROOT, **environment):
    """Output of a Python of its own that finds the package here."""
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=cwd,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(cwd), **environment},
    )
    return done.stdout.splitlines()


def make_store(store, families, program=COMPILE):
    """Compile kernels for families of processors into folders of a store.

    What only the compiler reads, kernels inlined into others, is left out: a second process, which
    loads all, shows it.
    """
    from mechstudio.engine.kernel_store import STAMP, stamp

    for family in families:
        with tempfile.TemporaryDirectory(prefix="mechstudio-kernels-") as home:
            places = dict.fromkeys(("HOME", "USERPROFILE", "XDG_CACHE_HOME", "LOCALAPPDATA"), home)
            # Numba's names of a processor and of what it has beyond its family
            made_for = {"NUMBA_CPU_NAME": family, "NUMBA_CPU_FEATURES": ""}
            for _ in ("compile", "load"):
                read = run(program, **places, **made_for)
            for file in map(Path, read):
                at = next(k for k, part in enumerate(file.parts) if part.startswith("kernels-"))
                to = Path(store, family, *file.parts[at:])
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, to)
    Path(store, STAMP).write_text(json.dumps(stamp()) + "\n", "utf-8")


def make_wheel(store, out):
    """Build the wheel that carries a store; its path."""
    numba = distribution("numba")
    # this Numba's own wheel says which systems have what it needs
    (tag, *_) = re.findall(r"^Tag: \S+-(\S+)$", numba.read_text("WHEEL"), re.M)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mechstudio-wheel-") as folder:
        tree = Path(folder)
        for name in SHIPPED:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copyfile
            copy(ROOT / name, tree / name)
        shutil.copytree(store, tree / STORE)
        project = (tree / "pyproject.toml").read_text("utf-8")
        project, count = re.subn(r'"numba\b[^"]*"', f'"numba=={numba.version}"', project)
        assert count == 1, "pyproject.toml names Numba once"
        (tree / "pyproject.toml").write_text(project, "utf-8")
        python = f"cp{sys.version_info.major}{sys.version_info.minor}"
        return out / run(BUILD, str(out), python, tag, cwd=tree)[-1]


def main(arguments):
    sys.path.insert(0, str(ROOT))
    from mechstudio.engine.kernel_store import FAMILIES

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="mechstudio-store-") as store:
        make_store(store, given.families)
        print(make_wheel(store, given.out.resolve()))


if __name__ == "__main__":
    main(sys.argv[1:])
