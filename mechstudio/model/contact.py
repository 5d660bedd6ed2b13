"""Contacts as they are drawn: whether bodies touch, what their surfaces are like, which pairs do
not touch, the floor, and how contacts are stepped.

Friction has one coefficient, of rest and of sliding.  Where two surfaces meet, friction and rebound
are the geometric means of theirs, what gives way adds up and the larger resistances to rolling and
spinning and the larger adhesion count.
"""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from mechstudio.model.quantity import ZERO, Quantity
from mechstudio.translation import Words, tr

if TYPE_CHECKING:
    from mechstudio.model.mechanism import Body, Mechanism
    from mechstudio.model.results.run_statistics import RunStatistics

MOST_ITERATIONS = 1_000_000  # that a solve may be allowed
MOST_OVERLAP = 1e-4  # of the size of a body: overlap up to which a run is sound


class SurfaceType(msgspec.Struct, frozen=True):
    """label: its name.  Numbers as of Surface, of two such surfaces; stiffness infinite for
    rigid.
    """

    label: Words
    friction: float
    restitution: float
    rolling: float = 0.0
    spinning: float = 0.0
    stiffness: float = math.inf
    damping: float = 0.0
    tangential_restitution: float = 0.0
    belt_speed: float = 0.0
    adhesion: float = 0.0


SURFACE_TYPES: dict[str, SurfaceType] = {
    "plain": SurfaceType("Plain", 0.5, 0.0),
    "steel": SurfaceType("Steel, dry", 0.45, 0.6),
    "oiled": SurfaceType("Steel, oiled", 0.12, 0.6),
    "wood": SurfaceType("Wood", 0.4, 0.4),
    "rubber": SurfaceType("Rubber", 0.9, 0.75, 1e-3),
    "plastic": SurfaceType("Plastic", 0.3, 0.7),
    "stone": SurfaceType("Stone", 0.65, 0.2),
    "felt": SurfaceType("Felt", 0.6, 0.3, 2e-3, 1e-3),
    "ice": SurfaceType("Ice", 0.03, 0.2),
    "smooth": SurfaceType("Without friction", 0.0, 0.0),
}

# of a pair of surfaces as of each, and of one surface alone
PAIR_NUMBERS = (
    "friction",
    "restitution",
    "tangential_restitution",
    "rolling",
    "spinning",
    "stiffness",
    "damping",
    "adhesion",
)
NUMBERS = (*PAIR_NUMBERS, "belt_speed")


class Surface(msgspec.Struct, frozen=True):
    """Contact surface of a body.  type: key of SURFACE_TYPES; a number that is None is that of the
    type.

    rolling, spinning: resistance as an arm [m]; spinning is resisted by a patch, and a patch that
    spins resists slipping less (Contensou).  stiffness: force that pushes out what is pressed in,
    per depth [N/m], None for rigid; damping: the time in which what is pressed in comes out [s].
    tangential_restitution: slip after an impact over that before it, the other way, as far as
    friction can turn it round: 1 of a superball (Garwin 1969).  belt_speed: speed at which the
    surface runs around the body about its y axis, towards x above and back below [m/s].  adhesion:
    largest pull that holds together what touches it [N].
    """

    type: str = "plain"
    friction: Quantity | None = None
    restitution: Quantity | None = None
    rolling: Quantity | None = None
    spinning: Quantity | None = None
    stiffness: Quantity | None = None
    damping: Quantity | None = None
    tangential_restitution: Quantity | None = None
    belt_speed: Quantity | None = None
    adhesion: Quantity | None = None
    extra: Mapping[str, Any] = {}

    def number(self, name: str) -> float:
        """One of NUMBERS, typed or of the type."""
        typed = getattr(self, name)
        return (
            float(typed.value)
            if typed is not None
            else float(getattr(SURFACE_TYPES[self.type], name))
        )


class Floor(msgspec.Struct, frozen=True):
    """A level plane without end, across gravity where there is one along -z.  height: z in W
    [m].
    """

    height: Quantity = ZERO
    surface: Surface = Surface()
    extra: Mapping[str, Any] = {}


class ContactPair(msgspec.Struct, frozen=True):
    """Two bodies (ground among them) of which it is said whether they touch; without a word, bodies
    that joints keep apart do not (joints.touching).

    surface: that of the pair, whatever their own surfaces are; None for the one that follows from
    these.
    """

    body_a: str
    body_b: str
    touch: bool = False
    extra: Mapping[str, Any] = {}
    surface: Surface | None = None


class Contacts(msgspec.Struct, frozen=True):
    """Contacts of a mechanism.  enabled: True if bodies come into contact, else the run is a smooth
    one.  pairs: at most one entry per pair.  floor: None for none.
    """

    enabled: bool = False
    floor: Floor | None = None
    pairs: tuple[ContactPair, ...] = ()
    extra: Mapping[str, Any] = {}


class ImpactLaw(msgspec.Struct, frozen=True):
    """label: its name. use: description in words. short: its name where there is little room."""

    label: Words
    use: Words
    short: Words


IMPACT_LAWS: dict[str, ImpactLaw] = {
    "moreau": ImpactLaw(
        "All at once (Moreau)", "all contacts of an instant rebound together; the default", "Moreau"
    ),
    "sequential": ImpactLaw(
        "One after the other", "as touching balls do in a row: Newton's cradle", "Sequential"
    ),
}
CONTACT_METHODS: dict[str, ImpactLaw] = {
    "apgd": ImpactLaw("Accelerated projected gradient", "fast and exact; the default", "APGD"),
    "gauss_seidel": ImpactLaw(
        "Projected Gauss-Seidel", "what games use; slow in stacks, for comparison", "Gauss-Seidel"
    ),
    "jacobi": ImpactLaw("Projected Jacobi", "slower still, for comparison", "Jacobi"),
}


class ContactSettings(msgspec.Struct, frozen=True):
    """Settings of the stepping of contacts.

    step: fixed [s].  tolerance: error of a relative velocity at which a solve ends [m/s].  most:
    iterations of one solve.  method: key of CONTACT_METHODS.  impacts: key of IMPACT_LAWS.
    slowest: approach velocity below which nothing rebounds [m/s].  correction: De Saxce's, without
    which sliding bodies lift off.  margin: distance within which contacts are searched for beyond
    the reach of one step [m], None for a hundredth of the size.  sleep: time at rest after which
    bodies in contact are left alone [s], zero for never.
    """

    step: Quantity = Quantity(1e-3)
    tolerance: Quantity = Quantity(1e-6)
    most: int = 2000
    method: str = "apgd"
    impacts: str = "moreau"
    slowest: Quantity = Quantity(1e-2)
    correction: bool = True
    margin: Quantity | None = None
    sleep: Quantity = ZERO
    extra: Mapping[str, Any] = {}


def stepped_words(settings: ContactSettings, step: float) -> str:
    """Contact stepping in a few words.   step [s]: the one that is taken."""
    method = CONTACT_METHODS.get(settings.method)
    label = settings.method if method is None else tr(method.label)
    return tr("semi-implicit steps of {step:.3g} ms, {label}", step=1e3 * step, label=label)


def unsolved_words(settings: ContactSettings, steps: int, unsolved: int, residual: float) -> str:
    """Warning about a run with steps that missed the tolerance of contacts, with what helps; empty
    where none did.  residual: the largest [m/s].
    """
    if not unsolved:
        return ""
    few = (
        tr("{unsolved} of {steps} steps", unsolved=unsolved, steps=steps)
        if unsolved > 1
        else tr("One step of {steps}", steps=steps)
    )
    return tr(
        "{few} ended above the tolerance of contacts, {value:.3g} m/s; the worst at "
        "{residual:.3g} m/s. Motion and forces of contacts may be wrong there. ",
        few=few,
        value=settings.tolerance.value,
        residual=residual,
    ) + _what_solves(settings)


def trust_words(settings: ContactSettings, of: "RunStatistics") -> tuple[str, ...]:
    """Warnings about the contacts of a run that were not solved, or that let bodies overlap."""
    unsolved = unsolved_words(settings, of.steps, of.unsolved, of.contact_residual)
    return tuple(filter(None, (unsolved, overlap_words(of.overlap_share))))


def overlap_words(share: float) -> str:
    """Warning about a run whose bodies overlapped; empty where they did not, or hardly.  share:
    deepest overlap over the size of the smaller body.
    """
    if share <= MOST_OVERLAP:
        return ""
    return tr(
        "Bodies overlapped by up to {share:.2g} % of their size: they were drawn into each other, "
        "or came there in steps too long for them. Draw them apart, or take a shorter contact "
        "step.",
        share=100.0 * share,
    )


def blamed_words(settings: ContactSettings, steps: int, unsolved: int) -> str:
    """Sentences on contacts as the possible cause of a failed run, with what helps; empty where all
    were solved.
    """
    if not unsolved or settings.method not in CONTACT_METHODS:
        return ""
    return tr(
        "The contacts may be why: {method} did not come to their tolerance, {value:.3g} m/s, in "
        "{unsolved} of {steps} steps. ",
        method=tr(CONTACT_METHODS[settings.method].label),
        value=settings.tolerance.value,
        unsolved=unsolved,
        steps=steps,
    ) + _what_solves(settings)


def _what_solves(settings: ContactSettings) -> str:
    """Remedy for contacts that are not solved, as a sentence."""
    if settings.method == "apgd":
        return tr(
            "Allow more than {most} iterations, or take a shorter contact step.", most=settings.most
        )
    return tr(
        "Take {apgd} as their method, or allow more than {most} iterations.",
        apgd=tr(CONTACT_METHODS["apgd"].label),
        most=settings.most,
    )


class ContactSample(msgspec.Struct, frozen=True):
    """The contacts of one instant, with what they did in the step that ends there (at the start: in
    the first one).

    time [s].  bodies: numbers of both bodies in file order, -1 ground, int32 (n, 2).  numbers:
    float64 (n, NUMBERS_WIDTH), columns below.
    stops: (joint, coordinate) of the hard stops that are leaned against.  frictions: (joint,
    coordinate, way) of dry friction, +1 or -1 where it slid, 0 where it held.  moments: float64
    (n, 3), what resists rolling and spinning, on b [N m, W]; empty where nothing does.
    sunk: the deepest overlap of bodies in the run so far over the size of the smaller one, as
    RunStatistics.overlap_share has it in the end.
    """

    time: float
    bodies: bytes
    numbers: bytes
    stops: tuple[tuple[str, int], ...] = ()
    moments: bytes = b""
    sunk: float = 0.0
    frictions: tuple[tuple[str, int, float], ...] = ()


def record_size(sample: ContactSample) -> int:
    """Bytes that the contacts of one sample take in memory."""
    return RECORD + len(sample.bodies) + len(sample.numbers) + len(sample.moments)


def expected_record_size(mechanism: "Mechanism") -> int:
    """Bytes that the contacts of a sample will take, about, for bodies that rest on each other; 0
    where nothing can touch.
    """
    if not mechanism.contacts.enabled:
        return 0
    solid = sum(is_solid(body) for body in mechanism.bodies.values())
    return RECORD + PER_BODY * solid * (2 * 4 + 8 * NUMBERS_WIDTH)


RECORD = 300  # bytes that the contacts of a sample take beside those of each contact
# contacts of each body that are counted before a run: a ball in a pile has about six, each with
# another one
PER_BODY = 3

# columns: where [m, W], normal from a to b, force on b [N, W], gap [m], coefficient of friction,
# speed at which b slides over a [m/s], pull that holds it together there [N], by which the normal
# force may be below zero
POINT, NORMAL, FORCE, GAP, FRICTION, SLIP, PULL, NUMBERS_WIDTH = 0, 3, 6, 9, 10, 11, 12, 13


def is_solid(body: "Body") -> bool:
    """True if a body has shapes and touches others while contacts are on."""
    return bool(body.shapes) and body.touches


def has_surface(mechanism: "Mechanism", number: str) -> bool:
    """True if one of NUMBERS of some surface is not zero: with adhesion normal forces may be below
    zero, and a belt works as a drive does.
    """
    contacts = mechanism.contacts
    surfaces = [body.surface for body in (*mechanism.bodies.values(), mechanism.ground)]
    surfaces += [pair.surface for pair in contacts.pairs if pair.surface is not None]
    if contacts.floor is not None:
        surfaces.append(contacts.floor.surface)
    return any(surface.number(number) != 0.0 for surface in surfaces)


def touched_name(mechanism: "Mechanism", id: str) -> str:
    """Name of a body as a contact partner: the floor for ground without shapes where there is a
    floor.
    """
    if id in mechanism.bodies:
        return mechanism.bodies[id].name
    return (
        "floor"
        if mechanism.contacts.floor is not None and not mechanism.ground.shapes
        else mechanism.ground.name
    )
