"""The drawing as far as a script has come: its mechanism, numbers, names and frames."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from mechstudio.builder.geometry import Number, Point, readable, tidy
from mechstudio.builder.handles import BodyHandle, CoordinateHandle, FrameHandle, JointHandle
from mechstudio.model.formulas import expression
from mechstudio.model.formulas.dimensions import ExpressionError
from mechstudio.model.geometry.forms import Bar
from mechstudio.model.geometry.rotation import (
    IDENTITY,
    Quaternion,
    conjugate,
    minus,
    multiply,
    rotate,
    to_angles,
)
from mechstudio.model.mechanism import GROUND, Body, Frame, Joint, Mechanism, Placement
from mechstudio.model.naming import LONGEST_NAME, is_shown, quoted
from mechstudio.model.project import Settings
from mechstudio.model.quantity import Parameter, Quantity, Vector, values, vector
from mechstudio.model.types.parameter import Parameter as NumberOfType
from mechstudio.translation import comma, tr

_replace = msgspec.structs.replace
_RESERVED = {GROUND, "settings", "gravity", "contacts"}
SECTIONS = ("bodies", "joints", "couplings", "drives", "forces")


class Named(Protocol):
    """Anything that carries a name."""

    @property
    def name(self) -> str:
        """The name shown."""
        ...


class Draft:
    """Elements that a Builder has collected; the modules beside this one read it and add to it."""

    def __init__(self, gravity: Point) -> None:
        self.parameters: dict[str, Parameter] = {}
        self.settings = Settings()
        self.mechanism = Mechanism(
            gravity=self.triple(gravity, "acceleration", "gravity", tr("it has three components"))
        )

    def quantity(self, number: Number, dimension: str, what: str) -> Quantity:
        """A number or typed text as a Quantity; `what` names it in the error."""
        if not isinstance(number, str):
            try:
                value = float(number)
            except (TypeError, ValueError, OverflowError):
                value = math.nan
            if not math.isfinite(value):
                raise ValueError(
                    tr(
                        "{what}: {number} is not a finite number.",
                        what=what,
                        number=str(number)[:60],
                    )
                )
            return Quantity(value)
        try:
            return expression.quantity(number, dimension, self.known())
        except ExpressionError as error:
            raise ValueError(f"{what}: {number}: {error}") from None

    def numbers(
        self,
        known: Sequence[NumberOfType],
        given: Mapping[str, Number],
        name: str,
        words: str,
    ) -> dict[str, Quantity]:
        """All numbers of a type, by name; `words` name the type in the error, as in "a gear"."""
        if set(given) != {p.name for p in known}:
            raise ValueError(
                tr(
                    "{name}: {words} takes {parameter}, not {given}.",
                    name=name,
                    words=words,
                    parameter=comma().join(p.name for p in known) or tr("no number"),
                    given=comma().join(given) or tr("nothing"),
                )
            )
        out: dict[str, Quantity] = {}
        for p in known:
            label = tr(p.label).lower()
            q = out[p.name] = self.quantity(given[p.name], p.dimension, f"{name}, {label}")
            if q.value == 0.0 or q.value < p.least:
                bound = tr("be larger than zero") if p.least > 0.0 else tr("not be zero")
                raise ValueError(
                    tr("{name}: the {label} must {bound}.", name=name, label=label, bound=bound)
                )
        return out

    def point_quantities(self, point: Point, what: str) -> Vector:
        """Three lengths."""
        return self.triple(point, "length", what, tr("a point has three coordinates"))

    def triple(self, given: Point, dimension: str, what: str, words: str) -> Vector:
        """Three numbers of a dimension; `words` say in the error that there must be three."""
        if isinstance(given, str) or not hasattr(given, "__iter__"):
            raise ValueError(
                tr("{what}: {words}, not {given}.", what=what, words=words, given=str(given)[:60])
            )
        row = tuple(given)
        if len(row) != 3:
            raise ValueError(
                tr("{what}: {words}, not {count}.", what=what, words=words, count=len(row))
            )
        x, y, z = (self.quantity(c, dimension, what) for c in row)
        return x, y, z

    def placement(self, at: Point, angles: Point, what: str) -> Placement:
        """A place: origin and angles (psi, theta, phi) with R = Rz(psi) Ry(theta) Rx(phi)."""
        return Placement(
            self.point_quantities(at, what),
            self.triple(
                angles, "angle", tr("{what}, angle", what=what), tr("there are three angles")
            ),
        )

    def known(self) -> expression.Names:
        """The parameters as texts see them."""
        return {name: (p.value.value, p.dimension) for name, p in self.parameters.items()}

    def put(self, section: str, element: Any) -> None:
        """Add an element of one of SECTIONS to the mechanism, or change it."""
        self.mechanism = _replace(
            self.mechanism, **{section: {**getattr(self.mechanism, section), element.id: element}}
        )

    def put_body(self, body: Body) -> None:
        """Change a body, or the ground."""
        if body.id == GROUND:
            self.mechanism = _replace(self.mechanism, ground=body)
        else:
            self.put("bodies", body)

    def id(self, name: str, named: Collection[Named], chosen: str = "") -> str:
        """A free id, the one that is requested or one made of the name; a name can stand only once
        among the elements `named`.
        """
        if not isinstance(name, str):
            raise ValueError(tr("A name is a text, not {name}.", name=str(name)[:60]))
        if not is_shown(name):
            raise ValueError(
                tr(
                    "The name {name} has characters that cannot be shown, or more than "
                    "{longest_name} characters.",
                    name=quoted(name),
                    longest_name=LONGEST_NAME,
                )
            )
        if any(e.name == name for e in named):
            raise ValueError(tr("The name {name} is given twice.", name=name))
        taken = {*self.parameters, *_RESERVED}.union(
            *(getattr(self.mechanism, s) for s in SECTIONS)
        )
        if chosen:
            if chosen in taken or not is_shown(chosen):
                raise ValueError(tr("The id {id} is taken, or cannot be shown.", id=quoted(chosen)))
            return chosen
        stem = "".join(c if c.isalnum() else "_" for c in name) or "element"
        id, k = stem, 2
        while id in taken:
            id, k = f"{stem}_{k}", k + 1
        return id

    def joint(self, handle: JointHandle | CoordinateHandle, what: str) -> Joint:
        """The joint of a handle."""
        joint = (
            self.mechanism.joints.get(handle.id)
            if isinstance(handle, (JointHandle, CoordinateHandle))
            else None
        )
        if joint is None:
            raise ValueError(
                tr(
                    "{what}: {getattr} is no joint of this builder.",
                    what=what,
                    getattr=getattr(handle, "id", str(handle)[:60]),
                )
            )
        return joint

    def body(self, handle: BodyHandle, what: str) -> Body:
        """The body of a handle."""
        if not isinstance(handle, BodyHandle) or not handle.is_of(self):
            raise ValueError(
                tr(
                    "{what}: {id} is no body of this builder.",
                    what=what,
                    id=handle.id if isinstance(handle, BodyHandle) else str(handle)[:60],
                )
            )
        return handle.body

    def frame_of(self, handle: FrameHandle, what: str) -> Frame:
        """The frame of a handle."""
        self.body(handle.body, what)
        return handle.frame

    def frame(self, handle: BodyHandle, at: Point, attitude: Quaternion | None, what: str) -> Frame:
        """The frame of a body at a point in W with an attitude in W (None: that of the body), on a
        named point if one is there.
        """
        body, point = self.body(handle, what), self.point_quantities(at, what)
        position, quaternion = body.placement.pose
        back = conjugate(quaternion)
        turn = IDENTITY if attitude is None else multiply(back, attitude)
        psi, theta, phi = map(readable, to_angles(turn))
        orientation = (psi, theta, phi)
        if body.id == GROUND:
            return Frame(GROUND, "", Placement(point, orientation))
        local = rotate(back, minus(values(point), position))
        near = 1e-9 * max(self.mechanism.size(), 1e-6)
        # not on the sides of solids, which would carry a joint along when a box is made wider
        names = [p.name for p in body.points] + [
            n for s in body.shapes if isinstance(s.form, Bar) for n in s.points()
        ]
        # the ends of a link lie in its layer, its pins in the plane y = 0 of the body
        for plane in (False, True):
            for candidate in names if math.dist(local, (0, 0, 0)) > near else ():
                offset = minus(local, body.point(candidate))
                if math.hypot(offset[0], 0.0 if plane else offset[1], offset[2]) < near:
                    return Frame(body.id, candidate, Placement(vector(*tidy(offset)), orientation))
        return Frame(body.id, "", Placement(vector(*tidy(local)), orientation))
