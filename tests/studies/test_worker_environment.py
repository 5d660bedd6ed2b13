"""Environment of a cluster's workers: the necessary variables, and their sufficiency."""

import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

import mechstudio as ms
from mechstudio.folders import sample_folder

ROOT = Path(__file__).parents[2]
NEEDS = ROOT / "packaging" / "worker_requirements.txt"
SAMPLE = sample_folder() / "four_bar.mech"

STUDY = """
import sys
from importlib.abc import MetaPathFinder

class Absent(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in sys.argv[2].split(","):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
import mechstudio as ms
table = ms.study(
    ms.load(sys.argv[1]), {"L2": "310..350 mm:3"}, ["range D angle"], duration=0.2, workers=1
)
print(table.measured.tobytes().hex())
"""


def required() -> dict[str, str]:
    """Packages of the file with their least versions."""
    lines = [line for line in NEEDS.read_text().splitlines() if line and line[0] != "#"]
    return {re.split("[>=<]", line)[0]: line for line in lines}


def by_itself() -> str:
    table = ms.study(
        ms.load(SAMPLE), {"L2": "310..350 mm:3"}, ["range D angle"], duration=0.2, workers=1
    )
    return table.measured.tobytes().hex()


def test_the_file_asks_for_the_versions_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    known = [*project["dependencies"], *project["optional-dependencies"]["cluster"]]
    assert set(required().values()) <= set(known)


@pytest.mark.slow
def test_a_study_runs_without_any_other_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = {re.split(r"[>=<\[]", text)[0] for text in project["dependencies"]}
    imported = {"PySide6_Essentials": "PySide6", "python-flint": "flint", "Pillow": "PIL"}
    absent = [imported.get(name, name) for name in names - set(required())]
    assert {"PySide6", "vispy", "pyqtgraph", "typst", "sympy", "flint"} <= set(absent)
    done = subprocess.run(
        [sys.executable, "-c", STUDY, str(SAMPLE), ",".join(absent)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == by_itself()


@pytest.mark.slow
def test_a_worker_of_a_clean_environment_computes_the_same_bits(tmp_path):
    """The file installed into an environment made from nothing, with a worker of dask there."""
    distributed = pytest.importorskip("distributed")
    venv.create(tmp_path / "venv", with_pip=True)
    programs = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    pip = [programs / "python", "-m", "pip", "install", "-q"]
    subprocess.run([*pip, "-r", NEEDS], check=True)
    subprocess.run([*pip, "--no-deps", ROOT], check=True)
    listed = subprocess.run(
        [programs / "python", "-m", "pip", "list"], capture_output=True, text=True, check=True
    ).stdout.lower()
    assert "mechstudio" in listed
    assert not any(name in listed for name in ("pyside6", "vispy", "pyqtgraph", "typst", "sympy"))
    with distributed.LocalCluster(n_workers=0, processes=True, dashboard_address=None) as cluster:
        address = cluster.scheduler_address
        worker = subprocess.Popen(
            [programs / "dask", "worker", address, "--no-dashboard", "--nworkers", "1"],
            cwd=tmp_path,
        )
        try:
            with distributed.Client(address, set_as_default=False) as client:
                client.wait_for_workers(1, timeout=60)
            table = ms.study(
                ms.load(SAMPLE),
                {"L2": "310..350 mm:3"},
                ["range D angle"],
                duration=0.2,
                cluster=address,
            )
        finally:
            worker.terminate()
            worker.wait()
    assert not table.reasons
    assert table.measured.tobytes().hex() == by_itself()
