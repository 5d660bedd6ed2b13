"""Rows of forces between two points in the list of quantities that can be plotted, and their values
in a run.

two_points/ID/length    distance of the ends [m]
two_points/ID/rate      its rate [m/s]
two_points/ID/force     what the law says [N]: positive pushes the ends apart
two_points/ID/power     what the force gives to the bodies [W]

Force and power of these are listed of forces whose numbers are constant. Of all others, of efforts
in joints, bushings and loads on one body, an analysis finds them (engine/analyses/loads/forces.py).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from mechstudio.curves.quantity_rows import PlotQuantity
from mechstudio.model.mechanism import GROUND, Force, Frame, Mechanism
from mechstudio.model.results import analysed_channels as measured
from mechstudio.model.results.channels import Channel
from mechstudio.model.results.constant_course import matrices
from mechstudio.model.results.sample import SampleLayout
from mechstudio.model.types.forces import FORCE_TYPES, TWO_POINTS
from mechstudio.translation import Words, tr

FORCE = "two_points/"


class _Column(NamedTuple):
    """One quantity.  name: before the name of its force.  ruled: it needs the number of the law."""

    name: Words
    letter: str
    dimension: str
    ruled: bool
    words: Words


_COLUMNS: dict[str, _Column] = {
    "force": _Column("Force", "F", "force", True, "load effort tension push pull"),
    "length": _Column("Length", "x", "length", False, "distance elongation ends"),
    "rate": _Column("Rate of length", "v", "velocity", False, "speed stroke ends"),
    "power": _Column("Power", "P", "power", True, "work dissipation"),
}


def has_courses(force: Force) -> bool:
    """True of a force along the line between two points."""
    kind = FORCE_TYPES.get(force.type)
    return kind is not None and kind.attachment == TWO_POINTS


def force_rows(forces: Iterable[Force]) -> Iterator[PlotQuantity]:
    """Rows of each force between two points."""
    for force in filter(has_courses, forces):
        for column, row in _COLUMNS.items():
            if row.ruled and force.laws:
                continue
            key, name = f"{FORCE}{force.id}/{column}", tr(row.name)
            yield PlotQuantity(
                key,
                "Forces",
                tr("{name} of {force}", name=name, force=force.name),
                f"{force.name} {row.letter}",
                row.dimension,
                (key,),
                force.id,
                force.name,
                f"{tr(FORCE_TYPES[force.type].noun)} {tr(row.words)}",
                positive=column == "length",
            )


def load_rows(m: Mechanism, found: Mapping[str, Channel]) -> Iterator[PlotQuantity]:
    """Rows of the analysis of forces: efforts in joints and of laws, force and moment of bushings
    and of loads on one body, and the power of each.
    """
    for key, channel in found.items():
        if not key.startswith(f"{measured.PREFIX}forces/"):
            continue
        force, column = m.forces[channel.element], key.rpartition("/")[2]
        if has_courses(force) and not force.laws:
            continue  # the samples hold it
        name = {"effort": channel.dimension, "power": "power"}.get(column, "")
        words = {"force": tr("Force"), "torque": tr("Torque"), "power": tr("Power")}
        yield PlotQuantity(
            key,
            "Forces",
            tr("{name} of {force}", name=words[name], force=force.name)
            if name
            else tr(
                "{name} of {force}: {axis}",
                name=words["force" if column[0] == "F" else "torque"],
                force=force.name,
                axis=column[1],
            ),
            f"{force.name} {'P' if name == 'power' else column if not name else ''}".strip(),
            channel.dimension,
            (key,),
            force.id,
            force.name,
            f"{tr(FORCE_TYPES[force.type].noun)} {tr('load effort torque moment power')}",
            (channel.label,),
        )


def force_values(
    m: Mechanism, id: str, column: str, layout: SampleLayout, rows: np.ndarray
) -> np.ndarray | None:
    """Values (n,) of a quantity of a force at samples (n, layout.width); None where there is no
    such force, or one without that quantity.
    """
    force, row = m.forces.get(id), _COLUMNS.get(column)
    if force is None or row is None or not has_courses(force) or (row.ruled and force.laws):
        return None
    x, v = _stretch(m, force, layout, rows)
    if not row.ruled:
        return x if column == "length" else v
    kind = FORCE_TYPES[force.type]
    assert kind.law is not None
    effort = kind.law(x, v, *(force.parameters[p.name].value for p in kind.parameters))
    # ends that coincide have no line between them: the engine lets nothing act there
    effort = np.where(x > 0.0, effort, 0.0)
    return effort if column == "force" else effort * v


def _stretch(
    m: Mechanism, force: Force, layout: SampleLayout, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Distance [m] of the ends and its rate [m/s], each (n,); a rate of 0 where they coincide."""
    ends = [frame for frame in (force.frame_a, force.frame_b) if frame is not None]
    a, b = (_end(m, frame, layout, rows) for frame in ends)
    apart, rate = b[0] - a[0], b[1] - a[1]
    x = np.hypot(np.hypot(apart[:, 0], apart[:, 1]), apart[:, 2])
    along = apart / np.where(x > 0.0, x, 1.0)[:, None]
    return x, np.einsum("ij,ij->i", rate, along)


def _end(
    m: Mechanism, frame: Frame, layout: SampleLayout, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Place [m, W] and velocity [m/s, W] of a frame's origin, each (n, 3)."""
    if frame.body == GROUND:
        place = np.array(m.frame_in_world(frame)[0])
        return np.tile(place, (len(rows), 1)), np.zeros((len(rows), 3))
    arm = np.array(m.frame_in_body(frame)[0])
    pose = rows[:, layout.pose(frame.body)]
    at = layout.velocities.start + 6 * layout.bodies.index(frame.body)
    v, w = rows[:, at : at + 3], rows[:, at + 3 : at + 6]
    R = matrices(pose[:, 3:])
    return pose[:, :3] + R @ arm, v + np.einsum("nij,nj->ni", R, np.cross(w, arm))
