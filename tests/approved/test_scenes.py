"""Scenes of samples with every type of element in figures: rows, meshes, lines, labels and
measures, as they are packed for the viewport.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from mechstudio.application.scene import build_scene
from mechstudio.files import project_file
from tests.approved.figures import Shown
from tests.representatives import representatives

SAMPLES = Path(__file__).parents[2] / "samples"
# what follows from the others of its array
FOLLOWS = ("before", "after", "along_before", "along_after", "pieces")
together = Shown(5, -3).together  # meshes are in single precision


def scene_lines(path: Path) -> Iterator[str]:
    """Figures of a scene: of arrays their shape and the sums of the sizes of their columns."""
    scene = build_scene(project_file.load(path).project)
    yield f"# {path.stem}: {', '.join(scene.bodies)}"
    yield f"size, glyph, floor: {together((scene.size, scene.glyph, scene.floor))}"
    for name in ("rows", "solid", "skin", "edges", "marks", "fills"):
        for field, array in getattr(scene, name)._asdict().items():
            if isinstance(array, np.ndarray) and len(array) and field not in FOLLOWS:
                columns = np.abs(array.astype(float)).sum(axis=0).ravel()
                shape = "x".join(map(str, array.shape))
                yield f"{name} {field} {shape}: {together(columns)}"
    yield f"owners: {' '.join(dict.fromkeys(scene.rows.owners))}"
    for label in scene.labels:
        yield f"{label.text} of {label.owner}: {together((*label.point, label.above))}"
    for measure in scene.measures:
        yield f"{measure.dimension}: {together((measure.value, measure.length))}"


def test_scenes_are_as_approved(approved):
    names = sorted(representatives())
    lines = [line for name in names for line in scene_lines(SAMPLES / f"{name}.mech")]
    approved.holds("scenes.txt", "\n".join(lines) + "\n")
