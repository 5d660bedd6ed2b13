"""The end of a link to come: at the pointer, or where what is typed and held of it says: length,
angle, coordinates, distance from the first pin, a line or a circle.
"""

import math
import re
from collections.abc import Sequence

from mechstudio.application.tools.snapping.candidates import Snap, candidates_of
from mechstudio.application.tools.snapping.faces import axis_letters
from mechstudio.application.tools.snapping.loci import Flat, Locus, same, settle
from mechstudio.application.tools.snapping.snap import angle_of
from mechstudio.application.tools.tool import ToolContext
from mechstudio.application.tools.typed_numbers import Numbers
from mechstudio.model.edits.links import distance
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.geometry.work_plane import WorkPlane
from mechstudio.model.quantity import Quantity
from mechstudio.model.units import format_value
from mechstudio.translation import Words, comma, tr

LENGTH, ANGLE, FIRST, SECOND, SPAN = range(5)  # the fields
SPAN_KEY = "d"
SPAN_WORD: Words = "from the first pin"
# a whole operand, behind which a name can only begin something else: "150", "150 mm ", "(a + b) "
OPERAND = re.compile(r"((?<![\w.])[\d.]+(e[+-]?\d+)?|[\w.)°]\s+)$")
STEPS = 64  # corners of a circle that is shown
REACH = 20.0  # lengths of the link that a line is shown to either side


class LinkEnd:
    """Numbers typed and line held.  start, first: ends of the next link and of the first one,
    None before the first click.  held: by K.
    """

    def __init__(self, context: ToolContext) -> None:
        self.context = context
        self.start: Triple | None = None
        self.first: Triple | None = None
        self.held: Locus | None = None
        self._opened = False
        self._lettered = -1  # the field that was chosen by its letter last
        self._plane = context.plane
        self.numbers = self._new_numbers()

    def _new_numbers(self) -> Numbers:
        coordinates = ((letter, "length") for letter in axis_letters(self.context.plane))
        named = (("length", "length"), ("angle", "angle"), *coordinates, (SPAN_WORD, "length"))
        return Numbers(self.context, *named)

    @property
    def typing(self) -> bool:
        """True if keys belong to a number."""
        return self._opened or self.numbers.typed

    @property
    def given(self) -> bool:
        """True if something is typed or held."""
        return self.numbers.typed or self.held is not None

    def clear(self) -> None:
        """Forget what is typed."""
        self.numbers.clear()
        self._opened, self._lettered = False, -1

    def reset(self) -> None:
        """Forget what is typed and held."""
        self.clear()
        self.held = None

    def letters(self) -> dict[str, int]:
        """Fields by the letter that begins them; axes of a plane askew to those of W have none."""
        x, y = axis_letters(self.context.plane)
        known = {k: f for k, f in ((x, FIRST), (y, SECOND)) if k in "xyz"}
        return known if self.start is None else {**known, SPAN_KEY: SPAN}

    def wants(self, key: str) -> bool:
        """True if a key belongs to a number that is being typed, or begins one."""
        if self.typing:
            return key in ("enter", "escape", "backspace", "tab") or len(key) == 1
        return key in self.letters() or (self.start is not None and self.numbers.wants(key))

    def key(self, key: str) -> bool:
        """A letter of a field, or a character of a number; returns whether it was used."""
        if self._plane != self.context.plane and not self.typing:
            self._plane, self.numbers = self.context.plane, self._new_numbers()
        if key in self.letters() and (not self.typing or self._begins_anew(key)):
            self.numbers.at = self._lettered = self.letters()[key]
            self._opened = self._opened or not self.numbers.typed
            self.context.message = ""
            return True
        if not self.typing and key in ("x", "z"):
            self.context.message = tr(
                "The work plane has no {letter} axis: press W to choose another plane.",
                letter=key.upper(),
            )
            return True
        if self._opened and key == "backspace" and not self.numbers.texts[self.numbers.at]:
            self.clear()
            return True
        if self._opened and len(key) == 1 and key.isprintable() and not self.numbers.typed:
            # a field that was chosen by its letter takes names, too
            self.numbers.texts[self.numbers.at] = key.lstrip()
            self.context.message = ""
            return True
        used = self.numbers.key(key) if self.start is not None or self.typing else False
        if used and self.start is None and self.numbers.at not in (FIRST, SECOND):
            self.numbers.at = FIRST
        return used

    def _begins_anew(self, letter: str) -> bool:
        """True if a letter while a number is typed begins another one: in a field that is still
        empty, and an axis also behind a whole number.  In a field that was chosen by its letter a
        letter begins a name.
        """
        at, text = self.numbers.at, self.numbers.texts[self.numbers.at]
        if not text:
            return at != self._lettered
        whole = OPERAND.search(text) is not None and text.count("(") <= text.count(")")
        return whole and letter != SPAN_KEY

    # where it is

    def _flat(self, point: Triple) -> Flat:
        return self.context.plane.to_plane(point)

    @property
    def is_plain(self) -> bool:
        """True if only length and angle are given, which mean something off the plane, too."""
        texts = self.numbers.texts
        return self.held is None and not any(texts[k].strip() for k in (FIRST, SECOND, SPAN))

    def _loci(self, value) -> list[Locus]:
        """The lines and circles of the given numbers; value(k): the number of a field, or None."""
        out = [self.held] if self.held is not None else []
        x, y = axis_letters(self.context.plane)
        if self.start is not None:
            at = self._flat(self.start)
            if (length := value(LENGTH)) is not None:
                radius = self._in_plane(length.value, self.start, tr("length"))
                out.append(Locus(tr("length"), at, radius=radius))
            if (angle := value(ANGLE)) is not None:
                way = (math.cos(angle.value), math.sin(angle.value))
                out.append(Locus(tr("angle"), at, way, ray=True))
        if (u := value(FIRST)) is not None:
            out.append(Locus(x, (u.value, 0.0), (0.0, 1.0)))
        if (v := value(SECOND)) is not None:
            out.append(Locus(y, (0.0, v.value), (1.0, 0.0)))
        if self.first is not None and (span := value(SPAN)) is not None:
            radius = self._in_plane(span.value, self.first, tr(SPAN_WORD))
            out.append(Locus(tr(SPAN_WORD), self._flat(self.first), radius=radius))
        return out

    def _in_plane(self, length: float, start: Triple, word: str) -> float:
        """Radius of the circle in the work plane that is so far from a point beside it [m].  Raises
        ExpressionError where the point is farther from the plane.
        """
        height = abs(self.context.plane.height(start))
        if height > abs(length):
            raise ExpressionError(
                tr(
                    "The work plane is {height} from where the {word} begins: type a larger one.",
                    height=format_value(height, "length", self.context.units, 4),
                    word=word,
                )
            )
        return math.sqrt(length * length - height * height)

    def place(self, here: Triple, strict: bool, besides: str) -> Snap | None:
        """The end that the pointer's place means under what is given; None where there is none.

        besides: a body that is not meant.  strict: everything typed must mean something.  Raises
        ExpressionError with the reason, which names what to drop.
        """
        value = self.numbers.value if strict else self.numbers.sofar
        found = settle(self._loci(value), self._flat(here))
        if found.clash:
            raise ExpressionError(
                tr(
                    "There is no place with this {names}: drop one of them (Tab goes to a number, "
                    "Backspace clears it, K lets go of a line).",
                    names=tr(" and ").join(found.clash),
                )
                if len(found.clash) < 3
                else tr(
                    "Two of {names} fix the end, and the others say something else: drop one "
                    "(Tab goes to a number, Backspace clears it, K lets go of a line).",
                    names=comma().join(found.clash),
                )
            )
        if found.place is None:
            return None
        return self.caught(self.context.plane.to_world(*found.place), besides)

    def caught(self, point: Triple, besides: str) -> Snap:
        """The place with what is there; besides: a body that is not meant."""
        m = self.context.document.project.mechanism
        near = 1e-9 * max(candidates_of(m).size, 1e-9)
        known = candidates_of(m).placed(self.context.plane)[0]
        there = (
            s for s in known if s.body and s.body != besides and distance(s.point, point) < near
        )
        return next(there, Snap(point))

    # holding

    def hold(self, places: Sequence[Snap]) -> str:
        """Keep to the first line or circle among the places that catch the pointer; held already:
        let it go.  Returns why there is none.
        """
        if self.held is not None:
            self.held = None
            return ""
        locus = next((found for p in places if (found := p.locus or self._direction(p))), None)
        if locus is None:
            return tr(
                "K keeps to a line or circle: point at an axis, a rim, or in a direction that is "
                "named first."
            )
        self.held = locus
        return ""

    def _direction(self, here: Snap) -> Locus | None:
        """The line or circle of a direction or length that was named at the pointer."""
        if self.start is None or here.shape != "angle" or not here.word:
            return None
        a, b = self._flat(self.start), self._flat(here.point)
        far = math.dist(a, b)
        return Locus(here.word, a, ((b[0] - a[0]) / far, (b[1] - a[1]) / far)) if far > 0 else None

    def lines(self, size: float) -> list[tuple[Triple, ...]]:
        """The line or circle that is held, to be shown [m, W]; size: a length of the drawing."""
        if self.held is None:
            return []
        at, plane = self.held.at, self.context.plane
        if self.held.way is None:
            r = self.held.radius
            turns = (2 * math.pi * k / STEPS for k in range(STEPS + 1))
            flat = [(at[0] + r * math.cos(t), at[1] + r * math.sin(t)) for t in turns]
        else:
            (u, v), reach = self.held.way, REACH * size
            flat = [(at[0] + s * reach * u, at[1] + s * reach * v) for s in (-1.0, 1.0)]
        return [tuple(plane.to_world(*p) for p in flat)]

    # words

    def now(self, here: Triple) -> None:
        """Tell the numbers what the pointer says of each."""
        plane, u_v = self.context.plane, self._flat(here)
        length = angle = 0.0
        if self.start is not None:
            length = distance(self.start, here)
            angle = math.radians(angle_of(plane, self.start, here))
        span = distance(self.first, here) if self.first is not None else length
        self.numbers.now = (length, angle, *u_v, span)

    def label(self, here: Triple) -> str:
        """The numbers that are typed, as typed, and the field that is open."""
        self.now(here)
        numbers, units = self.numbers, self.context.units
        parts = []
        for k, (name, dimension) in enumerate(numbers.fields):
            caret = "▏" if self.typing and k == numbers.at else ""
            if numbers.texts[k] or caret:
                plain = k in (LENGTH, ANGLE)
                text = f"{numbers.texts[k]}{caret}"
                parts.append(text if plain else f"{tr(name)} {text}")
            elif k == LENGTH and numbers.at == ANGLE:
                parts.append(format_value(numbers.now[LENGTH], dimension, units, 4))
        return comma().join(parts)

    def length(self) -> Quantity | None:
        """The typed length; None where it is not typed."""
        return self.numbers.value(LENGTH) if self.start is not None else None


def axis_loci(plane: WorkPlane, first: Triple | None) -> list[Locus]:
    """Lines of the plane that catch the end of a link: its axes, and those through the chain's
    first end.
    """
    ways: tuple[Flat, Flat] = ((1.0, 0.0), (0.0, 1.0))
    out = [
        Locus(tr("{letter} axis", letter=letter.upper()), (0.0, 0.0), way)
        for letter, way in zip(axis_letters(plane), ways)
    ]
    if first is not None:
        at = plane.to_plane(first)
        words = tr("level with the first end"), tr("above the first end")
        own = (Locus(word, at, way) for way, word in zip(ways, words))
        out += [locus for locus, axis in zip(own, out) if not same(locus, axis)]
    return out
