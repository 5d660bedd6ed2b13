"""The first drawing: five small tasks from an empty room to a four-bar that turns and whose energy
is read.

A task is done when the drawing has the requested elements, by any sequence of edits; an undo takes
it back.  Nothing here changes anything.
"""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from mechstudio.application.plots.panes import shown_plots
from mechstudio.application.studio import Studio
from mechstudio.application.tools.bodies.link import LinkTool
from mechstudio.application.tools.picker import DRIVE, PickTool
from mechstudio.model.edits.links import distance, link_ends
from mechstudio.model.geometry.rotation import Triple
from mechstudio.model.geometry.work_plane import WorkPlane
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.translation import Words

# of the four-bar that is suggested, by the length of its crank; the crank turns round and round,
# however it was drawn
GROUND_LINK, COUPLER, ROCKER = 2.2, 2.1, 1.6
ANGLE = math.radians(55.0)  # of the suggested crank
# places of the last pin that are tried, the dearest first, for a coupler that was drawn otherwise
SPANS = (GROUND_LINK, 1.8, 2.6, 3.0, 3.6, 4.4)
TURNS = tuple(math.radians(n) for n in (0, -15, 15, -30, 30, -60, 60, -90, 90, 180))
GOOD = math.cos(math.radians(30.0))  # of the least angle between coupler and rocker


class FourBar(NamedTuple):
    """Bodies of a four-bar as far as it is drawn, by id; "" for one that is not there yet.

    pin: joint of the crank and the ground.  closed: the rocker stands on the ground too.
    """

    crank: str = ""
    coupler: str = ""
    rocker: str = ""
    pin: str = ""
    closed: bool = False


class Pins(NamedTuple):
    """Places of the four pins [m, W], drawn or suggested."""

    a: Triple
    b: Triple
    c: Triple
    d: Triple


class Now(NamedTuple):
    """State that the tasks read.

    tool: name of the active tool.  begin: where the next link begins, None before the first
    click.  makes_motor: a click on a joint makes a motor.  selected: ids.  loose: end of a link
    that stands on nothing, None for none.  driven: something is driven, or starts with a speed.
    ran: there is a run.  read: a pane with the energy was touched.  typing: a field has the keys.
    """

    bar: FourBar
    pins: Pins
    tool: str
    begin: Triple | None
    makes_motor: bool
    selected: tuple[str, ...]
    loose: Triple | None
    pin_name: str
    driven: bool
    ran: bool
    read: bool
    typing: bool


Place = Callable[[Now], Triple | None]


def _nowhere(now: Now) -> None:
    return None


class Stage(NamedTuple):
    """One gesture of a task.

    words: beside the place where it ends.  when: it is its turn; the first one of its task is
    shown.  start, end: where the hand comes from and goes to in the drawing.  key: that does it
    without the mouse.  button: what the hand points at outside the drawing: id of an action, PLAY,
    ENERGY or FIELD.  link: a link from start to end is shown, which comes of it at last.
    """

    words: Words
    when: Callable[[Now], bool] = lambda now: True
    start: Place = _nowhere
    end: Place = _nowhere
    key: Words = ""
    button: str = ""
    link: bool = False


class Task(NamedTuple):
    """A small task.  words: its name.  note: how it is done.  done: the drawing holds it."""

    words: Words
    note: Words
    done: Callable[[Now], bool]
    stages: tuple[Stage, ...]


PLAY, ENERGY, FIELD = "play", "energy", "field"
_TAKE_LINK = Stage(
    "Press L, or click here", lambda n: n.tool != "link", key="L", button="draw_link"
)
_TAKE_JOINT = Stage(
    "Press J, or click here",
    lambda n: n.loose is not None and n.tool not in ("joint", "link"),
    key="J",
    button="place_joint",
)
_PIN_LOOSE = Stage(
    "Click the loose end",
    lambda n: n.loose is not None and n.tool == "joint",
    end=lambda n: n.loose,
)
TASKS: tuple[Task, ...] = (
    Task(
        "Draw a crank",
        "Two clicks: the origin, the other end.",
        lambda n: bool(n.bar.crank),
        (
            _TAKE_JOINT,
            _PIN_LOOSE,
            _TAKE_LINK._replace(start=lambda n: n.pins.a, end=lambda n: n.pins.b, link=True),
            Stage("Click the origin", lambda n: n.begin is None, end=lambda n: n.pins.a),
            Stage(
                "Click the other end",
                start=lambda n: n.begin,
                end=lambda n: n.pins.b,
                link=True,
            ),
        ),
    ),
    Task(
        "Add a coupler and a rocker",
        "Two more clicks: the chain goes on from its end.",
        lambda n: bool(n.bar.rocker),
        (
            _TAKE_LINK,
            Stage(
                "Begin at the crank's end",
                lambda n: n.begin is None and not n.bar.coupler,
                end=lambda n: n.pins.b,
            ),
            Stage(
                "Begin at the coupler's end",
                lambda n: n.begin is None,
                end=lambda n: n.pins.c,
            ),
            Stage(
                "Click the end of the coupler",
                lambda n: not n.bar.coupler,
                start=lambda n: n.begin,
                end=lambda n: n.pins.c,
                link=True,
            ),
            Stage(
                "Click the end of the rocker",
                start=lambda n: n.begin,
                end=lambda n: n.pins.d,
                link=True,
            ),
        ),
    ),
    Task(
        "Pin the last end to the ground",
        "Enter pins the open ends of a chain.",
        lambda n: n.bar.closed,
        (
            Stage("Press Enter", lambda n: n.tool == "link", end=lambda n: n.pins.d, key="Enter"),
            _TAKE_JOINT,
            _PIN_LOOSE,
        ),
    ),
    Task(
        "Put a motor on {pin}",
        "M, then the pin that the crank turns on.",
        lambda n: n.driven,
        (
            Stage("Click the pin {pin}", lambda n: n.makes_motor, end=lambda n: n.pins.a),
            Stage("Press M", lambda n: n.bar.pin in n.selected, end=lambda n: n.pins.a, key="M"),
            Stage("Press M, or click here", key="M", button="drive"),
        ),
    ),
    Task(
        "Let it turn, read its energy",
        "Space plays. Then click the energy.",
        lambda n: n.ran and n.read,
        (
            Stage(
                "Type a speed, or leave it",
                lambda n: n.typing and not n.ran,
                key="Enter",
                button=FIELD,
            ),
            Stage("Press Space, or click here", lambda n: not n.ran, key="Space", button=PLAY),
            Stage("Click the energy", button=ENERGY),
        ),
    ),
)


def current(now: Now) -> int:
    """Index of the first task that is not done; their number where all are."""
    return next((k for k, task in enumerate(TASKS) if not task.done(now)), len(TASKS))


def stage(now: Now) -> Stage | None:
    """The next gesture; None where all tasks are done, or nothing can be said about the next."""
    k = current(now)
    if k == len(TASKS):
        return None
    return next((each for each in TASKS[k].stages if each.when(now)), None)


def read(studio: Studio, origin: Triple, size: float, typing: bool = False) -> Now:
    """The state of a studio.  origin: where a first link is suggested to begin [m, W]; size: how
    long [m].  typing: a field has the keys.
    """
    mechanism, tool = studio.display.project.mechanism, studio.tools.tool
    link = tool if isinstance(tool, LinkTool) else None
    held = link.to_pin if link is not None else frozenset()
    bar = four_bar(mechanism, held)
    begin = link.begin if link is not None else None
    pane = studio.plots.pane
    panes = {p.id: p for p in shown_plots(studio.document.project)}
    runs = studio.runs
    return Now(
        bar,
        pins(mechanism, bar, studio.tools.context.plane, begin or origin, size),
        tool.name,
        begin,
        isinstance(tool, PickTool) and tool.what == DRIVE,
        studio.selection.selected,
        _loose(mechanism, bar),
        mechanism.joints[bar.pin].name if bar.pin else "A",
        _is_driven(mechanism),
        runs.recording is not None and runs.recording.count > 0,
        pane in panes and any(key.startswith("energy/") for key in panes[pane].channels),
        typing,
    )


# what is drawn


def _neighbours(mechanism: Mechanism) -> dict[str, dict[str, str]]:
    """Joint between each body and each of those it is joined to."""
    out: dict[str, dict[str, str]] = {id: {} for id in (GROUND, *mechanism.bodies)}
    for id, joint in mechanism.joints.items():
        a, b = joint.frame_a.body, joint.frame_b.body
        if a != b:
            out[a].setdefault(b, id)
            out[b].setdefault(a, id)
    return out


def four_bar(mechanism: Mechanism, held: frozenset[str] = frozenset()) -> FourBar:
    """The four-bar that has most of its parts, of equals the first one drawn.  held: links that are
    about to be pinned to the ground by the active tool.
    """
    near = _neighbours(mechanism)
    found = max(
        _chains(near, held), key=lambda bar: (bar.closed, *map(bool, bar)), default=FourBar()
    )
    return found


def _chains(near: dict[str, dict[str, str]], held: frozenset[str]) -> Iterator[FourBar]:
    """Chains of up to three bodies that begin on the ground."""
    grounded = near[GROUND]
    for crank in near:
        # one link alone is a crank on a pin only; of a chain the pins may come at its end
        if crank == GROUND or not (crank in grounded or crank in held or near[crank]):
            continue
        pin = grounded.get(crank, "")
        yield FourBar(crank, pin=pin)
        for coupler in near[crank]:
            if coupler == GROUND:
                continue
            yield FourBar(crank, coupler, pin=pin)
            for rocker in near[coupler]:
                if rocker not in (GROUND, crank):
                    yield FourBar(crank, coupler, rocker, pin, bool(pin) and rocker in grounded)


def _is_driven(mechanism: Mechanism) -> bool:
    """True if a drive moves something, or something starts with a speed."""
    rates = any(rate.value for joint in mechanism.joints.values() for rate in joint.rates)
    thrown = any(body.initial_velocity is not None for body in mechanism.bodies.values())
    return rates or thrown or any(d.enabled for d in mechanism.drives.values())


def _loose(mechanism: Mechanism, bar: FourBar) -> Triple | None:
    """An end that is to be pinned to the ground and is not: of a link that stands on nothing, or
    of a rocker.
    """
    near = _neighbours(mechanism)
    if not bar.crank:
        ends = (link_ends(b) for id, b in mechanism.bodies.items() if not near[id])
        return next((e[0] for e in ends if e is not None), None)
    if not bar.pin:
        joint = mechanism.joints.get(near[bar.crank].get(bar.coupler, ""))
        if joint is None:
            return None
        return _ends(mechanism, bar.crank, mechanism.frame_in_world(joint.frame_a)[0])[1]
    if bar.rocker and not bar.closed:
        joint = mechanism.joints[near[bar.coupler][bar.rocker]]
        return _ends(mechanism, bar.rocker, mechanism.frame_in_world(joint.frame_b)[0])[1]
    return None


# where it is, and where the rest might be


def _ends(mechanism: Mechanism, body: str, first: Triple | None) -> tuple[Triple, Triple]:
    """Ends of a body [m, W], that next to a place first: of a link those, of others its joints and
    its origin.
    """
    element = mechanism.bodies[body]
    found = link_ends(element)
    if found is None:
        joints = mechanism.joints.values()
        frames = [f for j in joints for f in (j.frame_a, j.frame_b) if f.body == body]
        places = [mechanism.frame_in_world(f)[0] for f in frames]
        found = (*places, *[element.placement.pose[0]] * 2)[:2]  # type: ignore[assignment]
    a, b = found  # type: ignore[misc]
    return (b, a) if first is not None and distance(first, b) < distance(first, a) else (a, b)


def pins(mechanism: Mechanism, bar: FourBar, plane: WorkPlane, origin: Triple, size: float) -> Pins:
    """Pins of a four-bar as far as it is drawn; the others where its crank can turn round."""
    at = lambda p, length, angle: plane.to_world(
        *(x + length * f(angle) for x, f in zip(plane.to_plane(p), (math.cos, math.sin)))
    )
    joint = mechanism.joints.get(bar.pin)
    foot = None if joint is None else mechanism.frame_in_world(joint.frame_b)[0]
    a, b = _ends(mechanism, bar.crank, foot) if bar.crank else (origin, at(origin, size, ANGLE))
    crank = distance(a, b) or size
    d = at(a, GROUND_LINK * crank, 0.0)
    c = _meeting(plane, b, d, COUPLER * crank, ROCKER * crank)
    if bar.coupler:
        b, c = _ends(mechanism, bar.coupler, b)
        d = _last_pin(plane, a, b, c)
    if bar.rocker:
        d = _ends(mechanism, bar.rocker, c)[1]
    return Pins(a, b, c, d)


def _meeting(plane: WorkPlane, b: Triple, d: Triple, coupler: float, rocker: float) -> Triple:
    """The upper point at the distances of coupler and rocker [m] from two pins."""
    (bx, by), (dx, dy) = plane.to_plane(b), plane.to_plane(d)
    span = math.hypot(dx - bx, dy - by) or 1e-12
    along = (coupler**2 - rocker**2 + span**2) / (2 * span)
    off = math.sqrt(max(0.0, coupler**2 - along**2))
    ux, uy = (dx - bx) / span, (dy - by) / span
    side = 1.0 if ux >= 0 else -1.0
    return plane.to_world(bx + along * ux - side * off * uy, by + along * uy + side * off * ux)


def _last_pin(plane: WorkPlane, a: Triple, b: Triple, c: Triple) -> Triple:
    """Place of the last pin that lets the crank turn round with a good angle between coupler and
    rocker: of those that do the one nearest to the level of the first pin, else the best.
    """
    x, y = plane.to_plane(a)
    crank, coupler = distance(a, b), distance(b, c)

    def place(span: float, turn: float) -> Triple:
        reach = span * crank
        return plane.to_world(x + reach * math.cos(turn), y + reach * math.sin(turn))

    def worst(span: float, turn: float) -> float:
        """Largest cosine between coupler and rocker, where the crank lies along the ground."""
        rocker = distance(c, place(span, turn))
        squares, product = coupler**2 + rocker**2, max(2 * coupler * rocker, 1e-12)
        return max(abs(squares - ((span + way) * crank) ** 2) / product for way in (-1, 1))

    tried = [(span, turn) for turn in TURNS for span in SPANS]
    best = next((each for each in tried if worst(*each) < GOOD), None)
    return place(*(best or min(tried, key=lambda each: worst(*each))))
