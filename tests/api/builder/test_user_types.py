"""Types of the public calls: a user's script and scripts that are exported keep pyright's strict
rules.
"""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

import mechstudio as ms

ROOT = Path(__file__).parents[3]
SAMPLES = ("four_bar", "cart_pole", "cam_profile", "rolling_disc", "dominoes", "gear_train")
USER = """
import mechstudio as ms

m = ms.Builder("Four-bar")
m.parameter("L1", "100 mm")
crank = m.link("crank", (0, 0, 0), (0, 0, "L1"))
coupler = m.link("coupler", (0, 0, "L1"), ("300 mm", 0, "250 mm"))
rocker = m.link("rocker", ("300 mm", 0, "250 mm"), ("300 mm", 0, 0))
pin = m.pin("A", m.ground, crank, at=crank.start)
m.pin("B", crank, coupler, at=coupler.start)
m.pin("C", coupler, rocker, at=rocker.start)
m.pin("D", rocker, m.ground, at=rocker.end)
m.drive("motor", pin, speed="60 rpm")
project = m.project()
ms.save(project, "four_bar.mech")
result = ms.simulate(ms.load("four_bar.mech"), 0.5)
print(float(result.time[-1]), result.rows.shape)
for course in result.courses("A angle"):
    print(course.values.max())
print(result.to_pandas().columns, result.to_xarray().sizes)
film = result.film("four_bar.gif", fps=10, size=(160, 90))
print(film.path, len(film.content))
ms.diagram(project, "four_bar.svg")
for note in ms.convert("four_bar.mech", "four_bar.xml"):
    print(note.upper())
equations = ms.derive(project)
ms.export_equations(project, "four_bar.tex")
found = ms.analyse(project, "equilibria")
print(found)
"""


def faults(folder: Path) -> list[str]:
    settings = {
        "typeCheckingMode": "strict",
        "extraPaths": [str(ROOT)],
        "include": ["*.py"],
        "pythonVersion": "3.11",
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson"]
    done = subprocess.run(
        [*command, "-p", str(folder)], capture_output=True, text=True, timeout=300
    )
    found = json.loads(done.stdout)
    assert found["summary"]["filesAnalyzed"] == len(list(folder.glob("*.py")))
    return [
        f"{Path(d['file']).name}:{d['range']['start']['line'] + 1}: {d['message']}"
        for d in found["generalDiagnostics"]
    ]


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("pyright") is None, reason="pip install pyright")
def test_scripts_of_users_keep_strict_rules(tmp_path):
    (tmp_path / "user.py").write_text(USER, "utf-8")
    for name in SAMPLES:
        text = ms.script(ms.load(ROOT / "samples" / f"{name}.mech"))
        (tmp_path / f"{name}.py").write_text(text, "utf-8")
    assert not faults(tmp_path)
    # a slip is seen
    (tmp_path / "user.py").write_text(USER + "ms.simulate(3)\n", "utf-8")
    assert any(fault.startswith("user.py") and "Literal[3]" in fault for fault in faults(tmp_path))
