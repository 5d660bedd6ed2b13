"""Mass, centre of mass and inertia of bodies whose shapes follow parameters, as formulas: the lines
of model/mass_properties.py, read with symbols in place of numbers.
"""

from collections.abc import Iterable, Sequence

import msgspec

from mechstudio.model.edits import references
from mechstudio.model.formulas.expression import names_in
from mechstudio.model.geometry.forms import ORIGIN, Enclosed, Matrix
from mechstudio.model.geometry.rotation import Triple, matrix, triple
from mechstudio.model.mass_properties import MassProperties, Reading, between_axes, properties_by
from mechstudio.model.mechanism import Body, Mechanism, Shape
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.shapes import SHAPE_TYPES
from mechstudio.symbolic.plan.drawing_numbers import Amount
from mechstudio.symbolic.plan.formulas import Formula, NoFormula, Number, applied, are_same
from mechstudio.symbolic.plan.symbols import Symbols, quarter_turns
from mechstudio.translation import Words, comma, tr

# letter and detail of a shape's lengths
_LETTERS = {
    "length": ("l", ""),
    "depth": ("d", ""),
    "height": ("h", ""),
    "width": ("w", ""),
    "thickness": ("t", ""),
    "radius": ("r", ""),
    "inner_radius": ("r", "inner"),
    "bottom_radius": ("r", "bottom"),
    "top_radius": ("r", "top"),
}
_OWN = ("shapes", "mass", "center_of_mass", "inertia")
_LONGEST = 2000  # products and factors in the formulas of a body
_MASSLESS: Words = "as drawn it has no mass"


def parameters_of(body: Body, mechanism: Mechanism, known: frozenset[str]) -> set[str]:
    """The parameters that the mass, the centre of mass or the inertia of a body is made of.  known:
    names of those that there are.
    """
    return {
        r.id
        for path, r in references.names(body, mechanism)
        if path[0] in _OWN and r.kind == references.PARAMETER and r.id in known
    }


class _Formulas(Reading):
    """A reading of one body in symbols."""

    def __init__(self, symbols: Symbols, body: Body):
        self.symbols, self.body = symbols, body
        follows = symbols.follows
        self._heavy = [s for s in body.shapes if s.density.value or follows(s.density)]
        self._several = len(self._heavy) > 1
        self._shared: dict[tuple[int, str], list[str]] = {}
        self._length = 0

    def measure(self, numbers: Iterable[float]) -> None:
        """Add up the length of formulas.  Raises NoFormula where they are too long."""
        self._length += sum(x.size() for x in numbers if isinstance(x, Formula))
        if self._length > _LONGEST:
            raise NoFormula(tr("its formulas are too long"))

    def number(self, q: Quantity) -> float:
        """A typed number.  Raises NoFormula."""
        return self.symbols.formula(q, self.body.id)  # type: ignore[return-value]

    def _which(self, shape: Shape) -> tuple[str, str]:
        """The number of a shape among several, and its words."""
        name = self.body.name
        if not self._several:
            return "", name
        k = str(next(i for i, s in enumerate(self.body.shapes, 1) if s is shape))
        return k, tr("shape {number} of {name}", number=k, name=name)

    def _size(
        self,
        q: Quantity,
        letter: str,
        detail: str,
        dimension: str,
        meaning: str,
        shape: Shape,
    ) -> float:
        """A number of a shape; equal plain numbers of a body's shapes share a symbol."""
        which, words = self._which(shape)
        self.symbols.formula(q, self.body.id)  # raises NoFormula
        amount = self.symbols.read(
            q,
            letter,
            self.body.name,
            f"{which} {detail}".strip(),
            dimension,
            tr("{what} of {owner}", what=meaning, owner=words),
            self.body.id,
            f"shape {detail or letter}",
        )
        self._tell(amount, meaning, which)
        return Formula.of(amount, self.symbols.value_of)  # type: ignore[return-value]

    def _tell(self, amount: Amount, what: str, which: str) -> None:
        """Name all the shapes that share a symbol in its meaning."""
        own = [s for m in amount.terms for i, _ in m if not (s := self.symbols.all[i]).parameter]
        if not which or len(own) != 1:
            return
        shapes = self._shared.setdefault((own[0].index, what), [])
        if which not in shapes:
            shapes.append(which)
        if len(shapes) > 1:
            own[0].meaning = tr(
                "{what} of shapes {numbers} of {body}",
                what=what,
                numbers=comma().join(shapes),
                body=self.body.name,
            )

    def plain(self, x: float) -> float:
        """The number of what is one symbol, and none of the user's: the drawing's own."""
        single = x.single if isinstance(x, Formula) else None
        if single is None:
            return x
        symbol = self.symbols.all[single[0]]
        return x if symbol.parameter or symbol.formula is not None else float(x)

    def _is_followed(self, quantities: Iterable[Quantity]) -> bool:
        return any(map(self.symbols.follows, quantities))

    def solid(self, shape: Shape) -> tuple[float, Enclosed]:
        """Density and what the shape encloses, in its own symbols; numbers where none follow."""
        corners = [q for point in shape.outline for q in point]
        if not self._is_followed((shape.density, *shape.dimensions.values(), *corners)):
            return super().solid(shape)
        row = SHAPE_TYPES[shape.type]
        if row.outline or row.mesh:
            raise NoFormula(tr("what a plate or a mesh encloses has no short formula"))
        lengths = {
            d.name: self._size(
                shape.dimensions[d.name],
                *_LETTERS[d.name],
                "length",
                tr(d.label).lower(),
                shape,
            )
            for d in row.dimensions
        }
        rho = self._size(shape.density, "rho", "", "density", tr("density"), shape)
        enclosed = row.form(lengths, (), None).enclosed()
        if rho and not enclosed[0]:
            raise NoFormula(tr(_MASSLESS))
        return rho, enclosed

    def placed(self, shape: Shape, center: Triple, inertia: Matrix) -> tuple[Triple, Matrix]:
        """Centroid and inertia in body axes."""
        place = shape.placement
        numbers = (*center, *(x for row in inertia for x in row))
        if self._is_followed(place.orientation) or any(isinstance(x, Formula) for x in numbers):
            R = self.attitude(shape)
        else:
            R = matrix(place.quaternion)
        turned = [sum(r * c for r, c in zip(row, center)) for row in R]
        at = [
            self._size(q, "p", axis, "length", tr("{axis} of the place", axis=axis), shape)
            if self.symbols.follows(q) or isinstance(offset, Formula)
            else q.value
            for axis, q, offset in zip("xyz", place.position, turned)
        ]
        return triple(a + b for a, b in zip(at, turned)), between_axes(inertia, R)

    def attitude(self, shape: Shape) -> Matrix:
        """Rz(psi) Ry(theta) Rx(phi), quarter turns exactly."""
        (c, s), (d, e), (f, g) = (self._wave(q, shape) for q in shape.placement.orientation)
        return (  # type: ignore[return-value]
            (c * d, c * e * g - s * f, c * e * f + s * g),
            (s * d, s * e * g + c * f, s * e * f - c * g),
            (-e, d * g, d * f),
        )

    def _wave(self, q: Quantity, shape: Shape) -> tuple[Number, Number]:
        """Cosine and sine of an angle."""
        turns = None if self.symbols.follows(q) else quarter_turns(q.value)
        if turns is not None:
            return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[turns % 4]
        angle = self._size(q, "delta", "", "angle", tr("angle"), shape)
        return applied("cos", angle), applied("sin", angle)

    def has_mass(self, mass: float) -> bool:
        """True for a mass that a parameter can change, too."""
        return isinstance(mass, Formula) or super().has_mass(mass)

    def part(self, shape: Shape) -> MassProperties | None:
        """One solid; among several its numbers have names."""
        found = super().part(shape) if any(s is shape for s in self._heavy) else None
        if found is None or not self._several:
            return found
        which, words = self._which(shape)
        mass = self._named(found.mass, "m", which, "", "mass", tr("mass"), words)
        return MassProperties(
            mass,
            self._center(found.center, which, words),
            self._moments(found.inertia, which, words),
        )

    def balanced(self, parts: Sequence[MassProperties]) -> tuple[float, Triple]:
        """Names of the whole; a coordinate that all parts share is that of the whole."""
        name = self.body.name
        mass = self._named(sum(p.mass for p in parts), "m", "", "", "mass", tr("mass"), name)
        center = triple(
            first
            if all(are_same(p.center[k], first) for p in parts)
            else sum(p.mass * p.center[k] for p in parts) / mass
            for k, first in enumerate(parts[0].center if parts else ORIGIN)
        )
        return mass, self._center(center, "", name)

    def _named(
        self, x: float, letter: str, which: str, axes: str, dimension: str, what: str, words: str
    ) -> float:
        self.measure((x,))
        meaning = tr("{what} of {owner}", what=what, owner=words)
        detail = f"{which} {axes}".strip()
        amount = self.symbols.defined(
            letter,
            self.body.name,
            detail,
            x,
            dimension,
            meaning,
            self.body.id,
            f"shape {axes or letter}",
        )
        self._tell(amount, what, which)
        return Formula.of(amount, self.symbols.value_of)  # type: ignore[return-value]

    def _center(self, center: Triple, which: str, words: str) -> Triple:
        return triple(
            self._named(
                x, "c", which, axis, "length", tr("{axis} of the centre of mass", axis=axis), words
            )
            for axis, x in zip("xyz", center)
        )

    def _moments(self, inertia: Matrix, which: str, words: str) -> Matrix:
        named: dict[tuple[int, int], float] = {}
        for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
            axes = "xyz"[i] if i == j else "xyz"[i] + "xyz"[j]
            what = tr("inertia about the own centre of mass, {axes},", axes=axes)
            named[i, j] = named[j, i] = self._named(
                inertia[i][j], "J", which, axes, "inertia", what, words
            )
        return triple(triple(named[i, j] for j in range(3)) for i in range(3))


def attitude(symbols: Symbols, body: Body, shape: Shape) -> Matrix:
    """The attitude of a shape in body axes, in symbols."""
    return _Formulas(symbols, body).attitude(shape)


def shape_parameters(symbols: Symbols, shape: Shape) -> set[str]:
    """The parameters that the place and the size of a shape are typed in."""
    placement = shape.placement
    sizes = (*shape.dimensions.values(), *(q for point in shape.outline for q in point))
    typed = (*sizes, *placement.position, *placement.orientation)
    return {name for q in typed if symbols.follows(q) for name in names_in(q.text)}


def followed(symbols: Symbols, body: Body) -> MassProperties | None:
    """Formulas in the place of numbers that parameters change; None for a body that has none, or
    whose formulas cannot be written, which `symbols` notes.
    """
    if body.id not in symbols.masses:
        symbols.masses[body.id] = _followed(symbols, body)
    return symbols.masses[body.id]


def notes_of_masses(symbols: Symbols) -> list[str]:
    """Sentences on what does not follow the parameters that it is made of."""
    mechanism = symbols.project.mechanism
    listed = lambda names: comma().join(sorted(names))
    masses = [
        tr(
            "Mass, centre of mass and inertia of {body} are numbers of the drawing as it is, since "
            "{reason}: they do not follow {parameters} here.",
            body=mechanism.bodies[id].name,
            reason=reason,
            parameters=listed(parameters),
        )
        for id, (reason, parameters) in symbols.frozen.items()
    ]
    parameters = [
        tr(
            "{parameter} is a parameter of its own here, since {reason}: it does not follow "
            "{parameters}.",
            parameter=name,
            reason=reason,
            parameters=listed(others),
        )
        for name, (reason, others) in symbols.alone.items()
    ]
    points = [
        tr(
            "Point {point} of {body} is where the drawing has it: it does not follow {parameters} "
            "here.",
            point=point,
            body=mechanism.bodies[id].name if id in mechanism.bodies else mechanism.ground.name,
            parameters=listed(parameters),
        )
        for (point, id), parameters in symbols.still.items()
    ]
    return masses + parameters + points


def _followed(symbols: Symbols, body: Body) -> MassProperties | None:
    known = frozenset(symbols.project.parameters)
    found = parameters_of(body, symbols.project.mechanism, known)
    if not found:
        return None
    reading = _Formulas(symbols, body)
    try:
        properties = properties_by(body, reading)
        # what weighs nothing has no place and no shape to divide by
        divides = len(body.shapes) > 1 or (body.mass is not None and body.inertia is None)
        if isinstance(properties.mass, Formula) and not properties.mass.value > 0 and divides:
            raise NoFormula(tr(_MASSLESS))
        moments = (x for row in properties.inertia for x in row)
        reading.measure((properties.mass, *properties.center, *moments))
    except ZeroDivisionError:
        symbols.frozen[body.id] = tr(_MASSLESS), found
        return None
    except NoFormula as reason:
        symbols.frozen[body.id] = str(reason), found
        return None
    return msgspec.structs.replace(properties, center=triple(map(reading.plain, properties.center)))
