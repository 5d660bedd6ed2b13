"""Plot quantities that no sample holds: an analysis finds them after the run.  A new one is one more entry here.

Keys are measured/WHAT/AS/ELEMENT/COLUMN: an analysis over the time, what it is told (axes, or the body from which a motion is seen), an id, and the name of
the column less its element's.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .channels import Channel
from .joint_types import JOINT_TYPES
from .measured import AXES, Options
from .mechanism import GROUND, Mechanism

PREFIX = "measured/"
_XYZ = tuple("xyz")
_REACTION = tuple((f"{part}{axis}", dimension) for part, dimension in (("F", "force"), ("M", "torque")) for axis in _XYZ)
_KINEMATICS = tuple((f"{part}{axis}", dimension) for part, dimension in (("a", "acceleration"), ("α", "angular_acceleration")) for axis in _XYZ)
# of these the samples hold most themselves, the angular velocity in axes of the body: a plot that is to show a table's columns shows these
_WHOLE = (*((f"{part}{axis}", dimension) for part, dimension in (("x", "length"), ("v", "velocity"), ("ω", "angular_velocity")) for axis in _XYZ), *_KINEMATICS)
_RELATIVE = tuple((f"{part} {axis}", dimension) for part, dimension in (("v_rel", "velocity"), ("v_tr", "velocity"), ("a_rel", "acceleration"), ("a_tr", "acceleration"),
                                                                      ("a_cor", "acceleration"), ("a", "acceleration")) for axis in _XYZ)
_RATES = tuple((f"{part}{axis}", dimension) for part, dimension in (("p'", "force"), ("N'", "torque")) for axis in _XYZ)
# numbers of a table over the time that samples hold themselves
_RECORDED = {"energy": {name: f"energy/{name}" for name in ("kinetic", "potential", "work", "balance")},
             "momenta": {f"{a}{axis}": f"momentum/{b}{axis}" for a, b in (("p", "p"), ("N", "n")) for axis in _XYZ}}


def is_measured(key: str) -> bool:
    """Whether a channel comes from an analysis."""
    return key.startswith(PREFIX)


def key_of(what: str, said: str, element: str, column: str) -> str:
    """The key of a column of an analysis.   said: axes, or the body from which a motion is seen, or "-"."""
    return f"{PREFIX}{what}/{said}/{element or '-'}/{column}"


def measured_channels(mechanism: Mechanism, axes: Iterable[str] = ("joint",), seen_from: Iterable[str] = (), whole: bool = False) -> dict[str, Channel]:
    """The channels by key; labels are the columns of the analysis' table.   axes: of reactions; seen_from: bodies of relative motions.

    whole: with those too that samples hold in a like form.
    """
    out: dict[str, Channel] = {}

    def add(what: str, said: str, element: str, column: str, label: str, dimension: str) -> None:
        key = key_of(what, said, element, column)
        out[key] = Channel(key, label, dimension, (), element)

    for id, joint in mechanism.joints.items():
        for said in axes:
            for column, dimension in _REACTION:
                add("reactions", said, id, column, f"{joint.name} {column}", dimension)
    for id, drive in mechanism.drives.items():
        if drive.enabled and drive.joint in mechanism.joints:
            joint = mechanism.joints[drive.joint]
            kind = JOINT_TYPES[joint.type]
            of = f"{drive.name} on {joint.name}" + (f" {kind.coordinates[drive.coordinate].name}" if kind.dof > 1 else "")
            add("inverse", "-", id, "effort", of, "torque" if kind.coordinates[drive.coordinate].dimension == "angle" else "force")
            add("inverse", "-", id, "power", f"{of} power", "power")
    for id, body in mechanism.bodies.items():
        for column, dimension in _WHOLE if whole else _KINEMATICS:
            add("kinematics", "-", id, column, f"{body.name} {column}", dimension)
        for said in seen_from:
            if said == GROUND or said in mechanism.bodies and said != id:
                for column, dimension in _RELATIVE:
                    add("relative", said, id, column, f"{body.name} {column}", dimension)
    for column, dimension in _RATES:
        add("momenta", "-", "", column, column, dimension)
    return out


def known(mechanism: Mechanism, keys: Iterable[str]) -> dict[str, Channel]:
    """Those of the keys that the mechanism has, whatever axes and bodies they name."""
    parts = [key.split("/") for key in keys if is_measured(key)]
    wide = measured_channels(mechanism, AXES, tuple({p[2] for p in parts if len(p) == 5 and p[1] == "relative"}), True) if parts else {}
    return {key: wide[key] for key in keys if key in wide}


def keys_of_columns(mechanism: Mechanism, what: str, options: Options, labels: Sequence[str]) -> dict[int, str]:
    """The channels that are columns of an analysis' table, by column; those that no plot can show, at another point or of a typed motion, are left out."""
    if options.point is not None or options.motion:
        return {}
    said = {"reactions": options.axes, "relative": options.seen_from}.get(what, "-")
    found = measured_channels(mechanism, (options.axes,), (options.seen_from,), True)
    own = {c.label: key for key, c in found.items() if key.startswith(f"{PREFIX}{what}/{said}/")} | _RECORDED.get(what, {})
    return {k: own[label] for k, label in enumerate(labels) if label in own}


class Question(NamedTuple):
    """What to ask for some curves.   said: as in a key; element: an id of relative motion, else "": of all at once, which costs hardly more; duration, sample_step [s]."""

    what: str
    said: str
    element: str
    duration: float
    sample_step: float

    @property
    def options(self) -> Options:
        """The same as an analysis is told it."""
        common = {"duration": self.duration, "sample_step": self.sample_step}
        if self.what == "reactions":
            return Options(axes=self.said, **common)
        if self.what == "relative":
            return Options(frames=(self.element,), seen_from=self.said, **common)
        return Options(**common)


def questions(mechanism: Mechanism, keys: Iterable[str], duration: float, sample_step: float) -> dict[Question, tuple[str, ...]]:
    """What to ask for the keys: each question with the keys it answers."""
    out: dict[tuple[str, str, str], list[str]] = {}
    for key in known(mechanism, keys):
        _, what, said, element, _ = key.split("/")
        out.setdefault((what, said, element if what == "relative" else ""), []).append(key)
    return {Question(what, said, element, duration, sample_step): tuple(those) for (what, said, element), those in out.items()}
