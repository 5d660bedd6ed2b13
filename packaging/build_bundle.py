"""Build a folder that holds the whole program, for computers without Python.

    pip install pyinstaller
    python packaging/build_bundle.py [--out dist] [--families x86-64-v3]

Python here is one with everything that the program needs and the extra `film`.  The folder holds
one program, `mechstudio`, for window and terminal.  Films are encoded by ffmpeg, a program of its
own under the GNU GPL 3, which is started and never linked; its licence and its configuration stand
in LICENSES beside those of all that is inside.  With families, kernels are compiled for these
processors, two minutes each; without, the first run compiles them.

On two cores it takes 2 minutes of processor time and makes some 1.1 GB, a third of it LLVM and
ffmpeg.
tests/house/test_bundle.py starts it.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import distributions, packages_distributions, version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]

from build_wheel import make_store  # noqa: E402

ENTRY = """
import multiprocessing
import sys

multiprocessing.freeze_support()  # helpers of shared memory are this program too
from mechstudio.__main__ import main

sys.exit(main())
"""
# Numba hashes the sources of kernels, and workers run modules: the package lies there as files
SPEC = """
import os
from pathlib import Path

from PyInstaller.utils.hooks import collect_all, collect_submodules

datas = {datas!r}
binaries, hidden = [], collect_submodules("mechstudio")
for name in {whole!r}:
    more = collect_all(name)
    datas += more[0]
    binaries += more[1]
    hidden += more[2]
analysis = Analysis(
    [{entry!r}],
    pathex=[{root!r}],
    datas=datas,
    binaries=binaries,
    hiddenimports=hidden,
    excludes={excludes!r},
    module_collection_mode={{"mechstudio": "py"}},
)
# top folders and modules of all that is inside
files = (*analysis.binaries, *analysis.datas)
inside = {{place.split(os.sep)[0].split(".")[0] for place, *_ in files}}
inside |= {{name.split(".")[0] for name, *_ in analysis.pure}}
Path({inside!r}).write_text(" ".join(sorted(inside)), "utf-8")
program = EXE(PYZ(analysis.pure), analysis.scripts, exclude_binaries=True, name="mechstudio")
COLLECT(program, analysis.binaries, analysis.datas, name="mechstudio")
"""
# loaded by names, or by compiled modules, which PyInstaller does not read
WHOLE = ("vispy", "typst", "svgelements", "ezdxf", "fontTools", "flint")
EXCLUDES = ("tkinter", "pytest", "_pytest", "IPython", "mujoco", "fmpy", "trimesh", "gymnasium")
EXCLUDES += (
    "matplotlib",
    "mpl_toolkits",
    "pandas",
    "xarray",
    "lxml",
    "dask",
    "distributed",
    "jsonschema",
    "nbformat",
    "pypdf",
)
EXCLUDES += ("OCP", "vtk", "vtkmodules")  # an extra, as large as all the rest


def licences(folder: Path, inside: set[str]) -> None:
    """Texts of licences of everything that is inside, by the name of its package.  inside: top
    modules.
    """
    folder.mkdir()
    shutil.copy(ROOT / "LICENSE", folder)
    held = {name for top in inside for name in packages_distributions().get(top, ())}
    for found in distributions():
        if found.metadata["Name"] not in held:
            continue
        for file in found.files or ():
            if file.name.upper().startswith(("LICEN", "COPYING", "NOTICE")):
                place = Path(str(found.locate_file(file)))
                if place.is_file():
                    shutil.copy(place, folder / f"{found.metadata['Name']}-{file.name}")
    import imageio_ffmpeg  # type: ignore[import-untyped]

    ffmpeg = imageio_ffmpeg.get_ffmpeg_exe()
    said = [
        subprocess.run([ffmpeg, option], capture_output=True, text=True).stdout
        for option in ("-L", "-version")
    ]
    where = (
        f"ffmpeg is started as a program of its own. It comes from imageio-ffmpeg "
        f"{version('imageio-ffmpeg')}; the source of the version below is at "
        "https://ffmpeg.org/download.html.\n"
    )
    (folder / "ffmpeg.txt").write_text("\n".join([where, *said]), "utf-8")


def build(out: Path, families: list[str]) -> Path:
    """The folder of the program."""
    subprocess.run([sys.executable, ROOT / "packaging/catalogue.py", "compile"], check=True)
    with tempfile.TemporaryDirectory(prefix="mechstudio-bundle-") as folder:
        work = Path(folder)
        datas = [
            (str(ROOT / "resources"), "mechstudio/_resources"),
            (str(ROOT / "samples"), "mechstudio/_samples"),
            (str(ROOT / "mechstudio/locale"), "mechstudio/locale"),
        ]
        if families:
            make_store(work / "kernels", families)
            datas.append((str(work / "kernels"), "mechstudio/_kernels"))
        entry = work / "mechstudio_program.py"
        entry.write_text(ENTRY, "utf-8")
        given = {"datas": datas, "whole": WHOLE, "entry": str(entry), "root": str(ROOT)}
        given["inside"] = str(work / "inside.txt")
        spec = work / "mechstudio.spec"
        spec.write_text(SPEC.format(**given, excludes=EXCLUDES), "utf-8")
        command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level=WARN"]
        command += [f"--distpath={out}", f"--workpath={work / 'work'}", str(spec)]
        subprocess.run(command, check=True, cwd=ROOT)
        inside = set((work / "inside.txt").read_text("utf-8").split())
        licences(out / "mechstudio" / "LICENSES", inside)
    return out / "mechstudio"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--families", nargs="*", default=[])
    options = parser.parse_args()
    folder = build(options.out.resolve(), options.families)
    size = sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())
    print(f"{folder}: {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
