"""The window in words: the place where one builds, cards, and the inspector of each type of element
hold what was approved of, in their order.
"""

import sys

import pytest

from mechstudio.files import project_file
from mechstudio.folders import sample_folder
from mechstudio.model.project import Project
from tests.representatives import representatives
from tests.view.access.outline import outline
from tests.view.access.walk import cards, turn
from tests.view.conftest import unpainted

pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="keys have other names there")
# those that make no pictures of their own, which come later, and list no samples
CARDS = ("preferences", "manual", "shortcuts", "keep_view")
Kinds = dict[tuple[str, str], str]  # ids by part of a mechanism and type


@pytest.fixture
def window(make_window, four_bar):
    """A window of its own: of what others did in a shared one, traces are left."""
    return make_window(four_bar)


def kinds(project: Project) -> Kinds:
    """An element of each type of a project."""
    m = project.mechanism
    parts = {"joints": m.joints, "forces": m.forces, "couplings": m.couplings}
    found = {(part, e.type): id for part, of in parts.items() for id, e in of.items()}
    found |= {("drives", drive.law.type): id for id, drive in m.drives.items()}
    bodies = m.bodies.items()
    return found | {("bodies", s.type): id for id, body in bodies for s in body.shapes[:1]}


def chosen() -> list[tuple[str, Project, Kinds]]:
    """Few samples with the types that each is shown for."""
    names = sorted(representatives())
    projects = {n: project_file.load(sample_folder() / f"{n}.mech").project for n in names}
    found = {name: kinds(project) for name, project in projects.items()}
    missing, out = (
        {kind for of in found.values() for kind in of},
        list[tuple[str, Project, Kinds]](),
    )
    while missing:
        best = max(names, key=lambda name: len(found[name].keys() & missing))
        new = {kind: id for kind, id in found[best].items() if kind in missing}
        out.append((best, projects[best], new))
        missing -= new.keys()
    return out


def test_places_of_the_window_are_as_approved(window, approved):
    window.set_workspace("build")
    turn()
    # equations come when they are derived
    lines = ["# build", *outline(window, window.docks.by_key["equations"])]
    window.docks.show_parameters(True)
    turn()
    lines += ["# parameters", *outline(window.docks.by_key["parameters"])]
    window.docks.show_parameters(False)
    for card, sheet in cards(window, CARDS):
        lines += [f"# {card}", *outline(sheet)]
    approved.holds("window.txt", "\n".join(lines) + "\n")


def test_the_inspector_of_each_type_is_as_approved(window, approved, tmp_path):
    lines: list[str] = []
    inspector = window.docks.by_key["inspector"]
    window.set_workspace("build")
    # nobody looks at the pictures of all these drawings
    with unpainted(window):
        for name, project, new in chosen():
            window.studio.files.show(project, str(tmp_path / f"{name}.mech"), None)
            turn()
            for (part, type), id in sorted(new.items()):
                window.studio.selection.select(id)
                window.docks.inspector.catch_up()
                turn()
                lines += [f"# {part} {type}: {id} of {name}", *outline(inspector)]
    approved.holds("inspector.txt", "\n".join(lines) + "\n")
