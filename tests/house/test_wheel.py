"""The wheel with compiled kernels: its content and requirements, and that nothing is compiled where
it is installed.
"""

import importlib.util
import os
import re
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from mechstudio.engine.kernel_store import FAMILIES, STAMP

ROOT = Path(__file__).parents[2]
_spec = importlib.util.spec_from_file_location("build_wheel", ROOT / "packaging/build_wheel.py")
build_wheel = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(build_wheel)


def test_the_wheel_carries_the_store_and_requires_exactly_its_numba(tmp_path):
    code = tmp_path / "store" / "x86-64-v3" / "kernels-1" / "rows" / "rows.values.1.nbc"
    code.parent.mkdir(parents=True)
    code.write_bytes(b"code")
    (tmp_path / "store" / STAMP).write_text("{}")
    wheel = build_wheel.make_wheel(tmp_path / "store", tmp_path / "out")
    assert wheel.name.split("-")[2] == f"cp{sys.version_info.major}{sys.version_info.minor}"
    with zipfile.ZipFile(wheel) as files:
        names = files.namelist()
        (metadata,) = (name for name in names if name.endswith("METADATA"))
        needs = re.findall(r"^Requires-Dist: (numba\b.*)$", files.read(metadata).decode(), re.M)
    assert needs == [f"numba=={version('numba')}"]
    carried = sorted(name for name in names if "/_kernels/" in name)
    assert carried == [
        f"mechstudio/_kernels/{STAMP}",
        "mechstudio/_kernels/x86-64-v3/kernels-1/rows/rows.values.1.nbc",
    ]
    assert any(name.startswith("mechstudio/_samples/") for name in names)


INSTALLED = """
import sys, time
import mechstudio as ms
from mechstudio.application.resources import sample_folder
from numba import config
from numba.core.event import install_recorder
settings = lambda: {name: getattr(config, name) for name in dir(config) if name.isupper()}
before = settings()
with install_recorder("numba:compile") as compiled:
    for sample in sys.argv[1:]:
        ms.simulate(ms.load(sample_folder() / sample), duration=0.1)
assert settings() == before
started = [event.data["dispatcher"].__name__ for _, event in compiled.buffer if event.is_start]
print(ms.__file__, len(started), round(time.process_time(), 1))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Folder with the package as installed from a wheel with kernels for processors as this one,
    which is read-only.
    """
    folder = tmp_path_factory.mktemp("wheel")
    build_wheel.make_store(folder / "store", list(FAMILIES))
    wheel = build_wheel.make_wheel(folder / "store", folder)
    with zipfile.ZipFile(wheel) as files:
        files.extractall(folder / "site")
    for path in (folder / "site").rglob("*"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield folder / "site"
    for path in (folder / "site").rglob("*"):
        path.chmod(0o755)


def run(site, home, *samples):
    """(place of the package, number of kernels compiled, CPU time [s]) and stderr of a fresh
    process of a user without any files yet.
    """
    homes = dict.fromkeys(("HOME", "USERPROFILE", "XDG_CACHE_HOME", "LOCALAPPDATA"), str(home))
    done = subprocess.run(
        [sys.executable, "-B", "-c", INSTALLED, *samples],
        cwd=home,
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | homes | {"PYTHONPATH": str(site)},
    )
    place, compiled, seconds = done.stdout.split()
    assert Path(place).parents[1] == site
    print(f"{samples}: {compiled} kernels compiled, {seconds} s of CPU")
    return int(compiled), float(seconds), done.stderr


@pytest.mark.slow
def test_nothing_is_compiled_where_the_wheel_is_installed(installed, tmp_path):
    state = lambda: {f: f.stat().st_mtime_ns for f in installed.rglob("*")}
    before = state()
    for samples in (["four_bar.mech"], ["box_on_incline.mech", "newtons_cradle.mech"]):
        compiled, seconds, said = run(installed, tmp_path, *samples)
        assert (compiled, said) == (0, "") and seconds < 10.0
    assert state() == before and not list(tmp_path.rglob("*.nb?"))


@pytest.mark.slow
def test_an_edited_source_is_compiled_and_said_so(installed, tmp_path):
    kernels = installed / "mechstudio" / "engine" / "kernels" / "scalar.py"
    kernels.chmod(0o644)
    text = kernels.read_text("utf-8")
    kernels.write_text(text + "# edited\n", "utf-8")
    try:
        first, _, said = run(installed, tmp_path, "four_bar.mech")
        second, _, nothing = run(installed, tmp_path, "four_bar.mech")
    finally:
        kernels.write_text(text, "utf-8")
    assert first > 10 and (second, nothing) == (0, "") and list(tmp_path.rglob("*.nbc"))
    assert [line for line in said.splitlines() if "installation" in line] == [
        "mechstudio: the compiled kernels of this installation were made from other sources."
    ]
