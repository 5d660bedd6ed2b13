"""Couplings and drives of a Builder: what ties joint coordinates to each other, and what prescribes
them over the time.
"""

import msgspec

from mechstudio.builder.geometry import Number, known_type
from mechstudio.builder.handles import CoordinateHandle, JointHandle
from mechstudio.builder.laws import Laws, Ruled
from mechstudio.model.mechanism import (
    ACCELERATION,
    POSITION,
    VELOCITY,
    CoordinateOf,
    Coupling,
    Drive,
)
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.joints import JOINT_TYPES

End = JointHandle | CoordinateHandle


class Couplings(Laws):
    """Adds couplings and drives.  An end is a joint, meaning its first coordinate of the dimension
    that is needed, or joint[k].
    """

    def coupling(
        self, type: str, name: str, *ends: End, law: Ruled | None = None, **numbers: Number
    ) -> str:
        """A coupling of any type of COUPLING_TYPES between joint coordinates, in the type's order;
        returns its id.

        It holds from the drawn pose on, whatever the coordinates are there.
        """
        kind = known_type(COUPLING_TYPES, type, "coupling")
        if len(ends) != len(kind.ends):
            raise ValueError(
                f"{name}: a {kind.label.lower()} ties {len(kind.ends)} joints: "
                f"{', '.join(e.label.lower() for e in kind.ends)}."
            )
        places = tuple(
            self._end(end, known.dimensions, f"{name}, {known.label.lower()}")
            for end, known in zip(ends, kind.ends)
        )
        if len(set(places)) < len(places):
            raise ValueError(f"{name}: a {kind.label.lower()} ties different joints.")
        if set(numbers) != {p.name for p in kind.parameters}:
            raise ValueError(
                f"{name}: a {kind.label.lower()} takes "
                f"{', '.join(p.name for p in kind.parameters) or 'no number'}, not "
                f"{', '.join(numbers) or 'nothing'}."
            )
        if kind.law != (law is not None):
            raise ValueError(
                f"{name}: a {kind.label.lower()} {'needs law=' if kind.law else 'takes no law'}."
            )
        parameters = {
            p.name: self.quantity(numbers[p.name], p.dimension, f"{name}, {p.label.lower()}")
            for p in kind.parameters
        }
        for p in kind.parameters:
            if parameters[p.name].value < p.least or parameters[p.name].value == 0.0:
                raise ValueError(
                    f"{name}: {p.label.lower()} must "
                    f"{'be larger than zero' if p.least > 0 else 'not be zero'}."
                )
        id = self._id(name, self.mechanism.couplings, self.mechanism.couplings.values())
        coupling = Coupling(id, name, type, places, parameters)
        if law is not None:
            coupling = msgspec.structs.replace(coupling, law=self.law(law, coupling, name))
        self._put("couplings", id, coupling)
        return id

    def gear(
        self,
        name: str,
        first: End,
        second: End,
        ratio: Number | None = None,
        *,
        teeth: tuple[int, int] | None = None,
    ) -> str:
        """Two gears: first = ratio * second; negative for outer gears, which turn in opposite
        senses.  teeth: of both, instead, of outer gears.
        """
        if (ratio is None) == (teeth is None):
            raise ValueError(
                f"{name}: a gear pair takes either its ratio or the teeth of both gears."
            )
        if teeth is not None and not (
            isinstance(teeth, (tuple, list))
            and len(teeth) == 2
            and all(isinstance(n, (int, float)) and n % 1 == 0 and n > 0 for n in teeth)
        ):
            raise ValueError(f"{name}: two gears have two whole numbers of teeth.")
        return self.coupling(
            "gear", name, first, second, ratio=ratio if teeth is None else f"-{teeth[1]}/{teeth[0]}"
        )  # type: ignore[arg-type]

    def rack(self, name: str, pinion: End, rack: End, radius: Number) -> str:
        """Rack and pinion: rack = radius * pinion; a negative radius where the rack lies on the
        other side.
        """
        return self.coupling("rack_and_pinion", name, pinion, rack, radius=radius)

    def belt(
        self,
        name: str,
        first: End,
        second: End,
        radius_1: Number,
        radius_2: Number,
        *,
        crossed: bool = False,
    ) -> str:
        """A belt over two pulleys: both rims run at one speed, in opposite senses where it is
        crossed.
        """
        return self.coupling(
            "crossed_belt" if crossed else "belt",
            name,
            first,
            second,
            radius_1=radius_1,
            radius_2=radius_2,
        )

    def differential(self, name: str, carrier: End, first: End, second: End) -> str:
        """first + second = 2 carrier, all three over the same body."""
        return self.coupling("differential", name, carrier, first, second)

    def planetary(self, name: str, carrier: End, sun: End, ring: End, ratio: Number) -> str:
        """Willis: sun - carrier = -ratio (ring - carrier), ratio = teeth of the ring over teeth of
        the sun; all three over the same body.
        """
        return self.coupling("planetary", name, carrier, sun, ring, ratio=ratio)

    def cam(self, name: str, cam: End, follower: End, law: Ruled) -> str:
        """A follower's coordinate as a function of the cam's angle: law=ms.rise_and_return(...), a
        table, or a formula of the angle a.
        """
        return self.coupling("cam", name, cam, follower, law=law)

    def drive(
        self,
        name: str,
        joint: End,
        *,
        speed: Ruled | None = None,
        position: Ruled | None = None,
        acceleration: Ruled | None = None,
    ) -> str:
        """Prescribe a joint coordinate over the time; returns the drive's id.

        One of speed, position and acceleration: a number, a text with its unit, a formula of the
        time t, or a law such as ms.sine(...).
        A position starts from the drawn pose: what counts is how the law goes on from t = 0.
        """
        given = {
            quantity: law
            for quantity, law in (
                (VELOCITY, speed),
                (POSITION, position),
                (ACCELERATION, acceleration),
            )
            if law is not None
        }
        if len(given) != 1:
            raise ValueError(f"{name}: a drive takes one of speed=, position= and acceleration=.")
        quantity, law = next(iter(given.items()))
        place = self._end(joint, ("angle", "length"), name)
        id = self._id(name, self.mechanism.drives, self.mechanism.drives.values())
        drive = Drive(id, name, place.joint, place.coordinate, quantity)
        self._put("drives", id, msgspec.structs.replace(drive, law=self.law(law, drive, name)))
        return id

    def _end(self, end: End, dimensions: tuple[str, ...], what: str) -> CoordinateOf:
        """A joint coordinate of one of the dimensions."""
        joint = self._joint(end, what)
        coordinates = JOINT_TYPES[joint.type].coordinates
        if isinstance(end, CoordinateHandle):
            if coordinates[end.coordinate].dimension not in dimensions:
                raise ValueError(
                    f"{what}: {joint.name} {coordinates[end.coordinate].name} is no "
                    f"{' or '.join(dimensions)}."
                )
            return CoordinateOf(end.id, end.coordinate)
        found = [k for k, c in enumerate(coordinates) if c.dimension in dimensions]
        if not found:
            raise ValueError(
                f"{what}: {joint.name}, a {JOINT_TYPES[joint.type].label.lower()} joint, has "
                f"no {' or '.join(dimensions)}."
            )
        return CoordinateOf(end.id, found[0])
