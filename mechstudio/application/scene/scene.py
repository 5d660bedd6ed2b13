"""From a project to its scene: rows, packed meshes, lines, labels and the measures that a viewport
needs.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
import numpy as np

from mechstudio.application.scene.build import Builder
from mechstudio.application.scene.couplings import add_couplings
from mechstudio.application.scene.forces import add_forces
from mechstudio.application.scene.fragments import PORTIONS
from mechstudio.application.scene.instances import Rows, pack_rows, rotate, row_poses
from mechstudio.application.scene.joints.drives import add_drives
from mechstudio.application.scene.joints.joint_glyphs import AT_A
from mechstudio.application.scene.joints.joints import add_joint
from mechstudio.application.scene.lines import Fills, Lines, pack_fills, pack_lines
from mechstudio.application.scene.pictures import PicturePlane, picture_planes
from mechstudio.application.scene.solids.batch import Batch, pack
from mechstudio.curves.drawings.joint_curves import curve_points
from mechstudio.model.joints.tracks import curve_of
from mechstudio.model.mechanism import GROUND, Body, Mechanism
from mechstudio.model.project import Project

CURVE_TIPS = 24  # points by which a curve is located


class Label(NamedTuple):
    """A word at a point.  row: whose axes; point: [m] in them; owner: id of the element; above: how
    far it stands off [m].
    """

    text: str
    row: int
    point: tuple[float, float, float]
    owner: str
    above: float


class Measure(NamedTuple):
    """An arrow that is drawn to scale.  dimension, value [SI]: what the legend's arrow stands for;
    length [m] of that arrow.
    """

    dimension: str
    value: float
    length: float


@dataclass(frozen=True)
class Scene:
    """Scene of a project, ready to draw.

    bodies: ids, ground first, then in file order; row k is body k.  rows: everything with a pose.
    solid: mesh to shade;
    skin: closed mesh for outlines and shadows.  edges: feature edges; marks: glyphs, arrows and
    ground signs; fills: filled parts of glyphs.  drawn: (bodies, 7) poses as drawn, without ground.
    size: of the mechanism; glyph: radius of a joint's glyph; floor: height of the floor [m].
    samples: (k, 3) points in the axes of rows `sample_row`, enough to locate everything.
    pictures: planes of the pictures to trace.  solid_floor: bodies stand on the floor.
    """

    bodies: tuple[str, ...]
    rows: Rows
    solid: Batch
    skin: Batch
    edges: Lines
    marks: Lines
    fills: Fills
    labels: tuple[Label, ...]
    measures: tuple[Measure, ...]
    drawn: np.ndarray
    size: float
    glyph: float
    floor: float
    samples: np.ndarray
    sample_row: np.ndarray
    pictures: tuple[PicturePlane, ...] = ()
    solid_floor: bool = False

    def points(self, rows: np.ndarray) -> np.ndarray:
        """The sample points in W (k, 3) at row poses (r, 8), then the corners of the pictures."""
        return np.concatenate(
            [_placed(self.samples, self.sample_row, rows), *(p.corners for p in self.pictures)]
        )

    def points_of(self, ids: tuple[str, ...], rows: np.ndarray) -> np.ndarray:
        """The sample points (k, 3) of elements in W, with room for their glyphs, at row poses (r,
        8); none where they have no place.
        """
        mine = np.array([owner in ids for owner in self.rows.owners], bool)
        keep = mine[self.sample_row]
        points = _placed(self.samples[keep], self.sample_row[keep], rows)
        # a single place, as of a joint, needs some surroundings
        wide = len(points) > 0 and float(np.ptp(points, axis=0).max()) > 2.0 * self.glyph
        room = (0.3 if wide else 2.5) * self.glyph * np.concatenate([np.eye(3), -np.eye(3)])
        return (points[:, None] + room[None]).reshape(-1, 3)

    def __bool__(self) -> bool:
        """True if there is anything to see."""
        return len(self.bodies) > 1 or len(self.solid.triangles) > 0 or bool(self.pictures)


def drawn_poses(project: Project) -> np.ndarray:
    """(bodies, 7): place [m] and quaternion w x y z of every body as drawn, in file order, without
    ground.
    """
    rows = [(*p, *q) for p, q in (b.placement.pose for b in project.mechanism.bodies.values())]
    return np.array(rows, float).reshape(-1, 7)


def only_placed(old: Project, new: Project) -> bool:
    """True if two projects are drawn alike but for the poses of bodies."""
    a, b = old.mechanism, new.mechanism
    if (
        a.ground is not b.ground
        or a.contacts is not b.contacts
        or new.pictures is not old.pictures
        or a.bodies.keys() != b.bodies.keys()
    ):
        return False
    for mine, others in (
        (a.joints, b.joints),
        (a.forces, b.forces),
        (a.couplings, b.couplings),
        (a.drives, b.drives),
    ):
        if mine is not others and (
            mine.keys() != others.keys()
            or any(others[id] is not element for id, element in mine.items())
        ):
            return False
    return all(
        b.bodies[id] is body
        or msgspec.structs.replace(b.bodies[id], placement=body.placement) == body
        for id, body in a.bodies.items()
    )


def build_scene(project: Project) -> Scene:
    """The scene of a project.  Shapes whose dimensions are not positive are left out."""
    return SceneSteps(project).finish()


class SceneSteps:
    """A scene that is built bit by bit, for a window that has other things to do in between.
    scene: None until it is complete.
    """

    def __init__(self, project: Project) -> None:
        self.scene: Scene | None = None
        self._steps = self._all(project)

    @np.errstate(over="ignore", invalid="ignore")
    def go_on(self, is_enough: Callable[[], bool]) -> None:
        """Build on until that is said to be enough, or all is there."""
        while self.scene is None and not is_enough():
            self.scene = next(self._steps)

    def finish(self) -> Scene:
        """Build what is left."""
        self.go_on(lambda: False)
        assert self.scene is not None
        return self.scene

    def _all(self, project: Project) -> Iterator[Scene | None]:
        builder = Builder(project.mechanism)
        for _ in _collect(builder):
            yield None
        yield _packed(project, builder)


def build(mechanism: Mechanism) -> Builder:
    """Everything of a mechanism, collected."""
    builder = Builder(mechanism)
    for _ in _collect(builder):
        pass
    return builder


def _collect(builder: Builder) -> Iterator[None]:
    """Add a body or a joint in each step, and in the last what acts on them."""
    m = builder.mechanism
    PORTIONS.begin()
    for id in builder.index:
        builder.add_body(m.body(id))
        yield
    for id, joint in m.joints.items():
        add_joint(builder, id, joint)
        yield
    add_couplings(builder)
    add_drives(builder)
    add_forces(builder)
    PORTIONS.end()
    yield


def _packed(project: Project, builder: Builder) -> Scene:
    m = project.mechanism
    rows = pack_rows(builder.rows)
    solid, skin = pack(builder.pieces, len(builder.rows))
    drawn = drawn_poses(project)
    at = row_poses(rows, drawn)
    builder.tips += _curve_tips(builder)
    samples, sample_row = _samples(skin, builder)
    touched = m.contacts.floor if m.contacts.enabled else None
    floor = (
        _floor(m.ground, builder, _placed(samples, sample_row, at))
        if touched is None
        else touched.height.value
    )
    labels, measures = (
        tuple(Label(*label) for label in builder.labels),
        tuple(Measure(*x) for x in builder.measures),
    )
    return Scene(
        (GROUND, *m.bodies),
        rows,
        solid,
        skin,
        pack_lines(builder.edges),
        pack_lines(builder.marks),
        pack_fills(builder.fills),
        labels,
        measures,
        drawn,
        builder.size,
        builder.glyph,
        floor,
        samples,
        sample_row,
        picture_planes(project),
        touched is not None,
    )


def _curve_tips(builder: Builder) -> list[tuple[int, np.ndarray]]:
    """Some points of the curves of joints, so that a camera that fits all takes them in."""
    out: list[tuple[int, np.ndarray]] = []
    for id, joint in builder.mechanism.joints.items():
        if (curve := curve_of(joint)) is not None and id in builder.anchors:
            points = curve_points(curve)
            some = [*points[:: max(1, len(points) // CURVE_TIPS)], points[-1]]
            out += [(builder.anchors[id][AT_A], p) for p in some]
    return out


def _samples(skin: Batch, builder: Builder) -> tuple[np.ndarray, np.ndarray]:
    """Some points of every skin, and the place of every row: where things are, for cameras and the
    floor.
    """
    step = max(1, len(skin.points) // 6000)
    keep = skin.along[::step] == 0
    places = np.arange(
        min(1, len(builder.rows) - 1), len(builder.rows)
    )  # not the ground's origin, if there is anything else
    return (
        np.concatenate(
            [
                skin.points[::step][keep].astype(float),
                *(p[None] for _, p in builder.tips),
                np.zeros((len(places), 3)),
            ]
        ),
        np.concatenate(
            [skin.row[::step][keep].astype(int), [row for row, _ in builder.tips], places]
        ).astype(int),
    )


def _placed(points: np.ndarray, rows: np.ndarray, poses: np.ndarray) -> np.ndarray:
    """Points (k, 3) of rows (k,) in W."""
    at = poses[rows]
    return at[:, 4:7] + rotate(at[:, :4], points)


def _floor(ground: Body, builder: Builder, points: np.ndarray) -> float:
    """Height of the floor: under what stands on the ground, else under all that swings, and at zero
    if that is near below.

    points: the samples in W, those of skins first.
    """
    points = points[: len(points) - len(builder.tips) - max(1, len(builder.rows) - 1)]
    if not len(points):
        return 0.0
    low = float(points[:, 2].min())
    if not ground.shapes:
        low = min(low, builder.lowest_swing())
    if -1e-3 * builder.size <= low <= 0.35 * builder.size:
        return 0.0
    return low - (0.0 if ground.shapes else 0.04 * builder.size)
