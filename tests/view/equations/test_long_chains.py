"""Long chains in the equations panel: shown within seconds."""

import time

import pytest

from mechstudio.files import project_file
from mechstudio.model.project import Project
from tests import mechanisms
from tests.view.equation_panel import make_panel, unfold  # noqa: F401


def pendulum(count):
    """Links on pins one after the other, hanging aslant."""
    b, before, at = mechanisms.Builder(), "ground", (0.0, 0.0, 0.0)
    for k in range(count):
        end = (at[0] + 0.1, 0.0, at[2] - 0.2 - 0.01 * k)
        b.link(f"link{k}", at, end)
        b.joint(f"P{k}", before, f"link{k}", at)
        before, at = f"link{k}", end
    return Project(b.mechanism)


@pytest.mark.parametrize("count", [8, 10])
def test_planar_chains_are_shown_within_seconds(make_panel, qtbot, tmp_path, count):
    path = tmp_path / f"chain{count}.mech"
    project_file.save(path, pendulum(count))
    panel = make_panel("")
    start = time.monotonic()
    assert panel.studio.files.open(path, as_copy=True)
    qtbot.waitUntil(
        lambda: panel.structure.picture is not None and "M" in panel.sections, timeout=20_000
    )
    unfold(panel, "M", qtbot)
    assert time.monotonic() - start < 15.0  # 1.5 s on a machine that does nothing else
