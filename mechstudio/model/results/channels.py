"""Plot quantities as data: where they stand in a sample, and how a plot shows them.  A new quantity
is one more row of a table here, or one more function that makes channels.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from mechstudio.model.contact import has_surface
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.results.sample import (
    BALANCE,
    COUNT,
    DRIVE_WORK,
    FRICTION_WORK,
    GAP,
    IMPACT_WORK,
    ITERATIONS,
    KINETIC,
    LOAD_WORK,
    OVERLAP,
    PAIR0,
    POSITION_ERROR,
    POTENTIAL,
    RESIDUAL,
    VELOCITY_ERROR,
    WORK,
    SampleLayout,
    sample_layout,
)
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import Words, tr


class Channel(msgspec.Struct, frozen=True):
    """One recorded quantity.  columns: of a sample, from which `of` makes its values; none where an
    analysis finds it.  element: the body or joint it belongs to.

    group: its submenu of the plots.  word: in a plot's legend, "" for the label.  color: of the
    series, None for that of its element.  hidden: reached by a click on its word.  positive: never
    negative, so that an axis of powers of ten takes it.
    """

    key: str
    label: str
    dimension: str
    columns: tuple[int, ...]
    element: str = ""
    group: str = ""
    word: str = ""
    color: int | None = None
    hidden: bool = False
    positive: bool = False
    of: Callable[[Sequence[Any]], Any] = sum

    def values(self, rows: Any) -> Any:
        """Values (k,) in samples (k, width), a new array.  Raises ValueError where no sample holds
        them.
        """
        if not self.columns:
            raise ValueError(tr("No sample holds {label}.", label=self.label))
        return self.of([rows[:, column] for column in self.columns])


class Quantity(msgspec.Struct, frozen=True):
    """One quantity of the whole mechanism: the row of a channel.  columns: within the part of a
    sample that is its group's.
    """

    name: str
    label: Words
    dimension: str
    columns: tuple[int, ...]
    word: Words = ""
    color: int | None = None
    hidden: bool = False
    positive: bool = False
    of: Callable[[Sequence[Any]], Any] = sum

    def channel(self, group: str, start: int) -> Channel:
        """Its channel.  group: beginning of its key.  start: of the group's part of a sample."""
        return Channel(
            f"{group}/{self.name}",
            self.label,
            self.dimension,
            tuple(start + column for column in self.columns),
            word=self.word,
            color=self.color,
            hidden=self.hidden,
            positive=self.positive,
            of=self.of,
        )


ENERGY = [
    Quantity("kinetic", "Kinetic energy", "energy", (KINETIC,), "kinetic", 0, positive=True),
    Quantity("potential", "Potential energy", "energy", (POTENTIAL,), "potential", 4),
    Quantity("total", "Total energy", "energy", (KINETIC, POTENTIAL), "total", 7),
    Quantity("work", "Work of motors and dampers", "energy", (WORK,), "work", 3),
    Quantity("balance", "Energy balance error", "energy", (BALANCE,), "balance", 1, hidden=True),
]
CONSTRAINT = [
    Quantity(
        "position", "Constraint error |C|", "length", (POSITION_ERROR,), "|C|", 7, positive=True
    ),
    Quantity(
        "velocity",
        "Rate of constraint error",
        "velocity",
        (VELOCITY_ERROR,),
        "|Ċ|",
        0,
        positive=True,
    ),
    Quantity("gap", "Largest joint gap", "length", (GAP,), "gap", 3, positive=True),
]
CONTACT = [
    # works may be negative
    Quantity(name, label, dimension, (column,), positive=dimension != "energy")
    for name, label, dimension, column in (
        ("count", "Contacts", "number", COUNT),
        ("overlap", "Deepest overlap", "length", OVERLAP),
        ("residual", "Error of the contact solve", "velocity", RESIDUAL),
        ("iterations", "Iterations of the contact solve", "number", ITERATIONS),
        ("friction", "Work of friction in contacts", "energy", FRICTION_WORK),
        ("impact", "Work of impacts", "energy", IMPACT_WORK),
        ("drives", "Work of drives", "energy", DRIVE_WORK),
        ("loads", "Work of motors, forces and dampers", "energy", LOAD_WORK),
    )
]
Made = Callable[[Mechanism, SampleLayout], Iterator[Channel]]
# submenu of the plots: what makes its channels
GROUPS: dict[str, Made] = {}


def group(label: str) -> Callable[[Made], Made]:
    """A decorator: the function that makes the channels of a submenu of the plots."""

    def keep(made: Made) -> Made:
        GROUPS[label] = made
        return made

    return keep


def channels(mechanism: Mechanism, layout: SampleLayout | None = None) -> dict[str, Channel]:
    """Every channel of a mechanism's runs by key: joint/ID/K, energy/NAME, constraint/NAME,
    momentum/px … nz, contact/NAME, contact/A/B, body/ID/x … wz.
    """
    layout = layout or sample_layout(mechanism)
    return {
        channel.key: msgspec.structs.replace(channel, group=label)
        for label, made in GROUPS.items()
        for channel in made(mechanism, layout)
    }


@group("Joints")
def _joints(mechanism: Mechanism, layout: SampleLayout) -> Iterator[Channel]:
    at = layout.coordinates.start
    for id, joint in mechanism.joints.items():
        for k, c in enumerate(JOINT_TYPES[joint.type].coordinates):
            yield Channel(f"joint/{id}/{k}", f"{joint.name} {c.name}", c.dimension, (at + k,), id)
        at += len(JOINT_TYPES[joint.type].coordinates)


@group("Energy")
def _energy(mechanism: Mechanism, layout: SampleLayout) -> Iterator[Channel]:
    for quantity in ENERGY:
        channel = quantity.channel("energy", layout.energy.start)
        if quantity.name == "work" and layout.touching:
            channel = msgspec.structs.replace(channel, label="Work of drives, loads and contacts")
        yield channel


@group("Constraint error")
def _constraint(mechanism: Mechanism, layout: SampleLayout) -> Iterator[Channel]:
    for quantity in CONSTRAINT:
        yield quantity.channel("constraint", layout.constraint.start)


@group("Momentum")
def _momentum(mechanism: Mechanism, layout: SampleLayout) -> Iterator[Channel]:
    for k, axis in enumerate("xyz"):
        for part, label, dimension, start in (
            ("p", "Momentum", "momentum", 0),
            ("n", tr("Angular momentum"), "angular_momentum", 3),
        ):
            column = layout.momentum.start + start + k
            yield Channel(f"momentum/{part}{axis}", f"{label} {axis}", dimension, (column,))


@group("Contacts")
def _contacts(mechanism: Mechanism, layout: SampleLayout) -> Iterator[Channel]:
    if not layout.touching:
        return
    for quantity in CONTACT:
        yield quantity.channel("contact", layout.contact.start)

    def named(id: str) -> str:
        return mechanism.body(id).name

    sticky = has_surface(mechanism, "adhesion")
    for k, (a, b) in enumerate(layout.pairs):
        label, column = (
            tr("Normal force {a} – {body}", a=named(a), body=named(b)),
            layout.contact.start + PAIR0 + k,
        )
        yield Channel(f"contact/{a}/{b}", label, "force", (column,), positive=not sticky)


@group("Bodies")
def _bodies(mechanism: Mechanism, layout: SampleLayout) -> Iterator[Channel]:
    poses, velocities = layout.poses.start, layout.velocities.start
    for b, (id, body) in enumerate(mechanism.bodies.items()):
        for k, axis in enumerate("xyz"):
            for part, dimension, start in (
                ("", "length", poses + 7 * b),
                ("v", "velocity", velocities + 6 * b),
                ("w", "angular_velocity", velocities + 6 * b + 3),
            ):
                key, label = f"body/{id}/{part}{axis}", f"{body.name} {part}{axis}"
                yield Channel(key, label, dimension, (start + k,), id)
