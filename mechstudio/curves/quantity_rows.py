"""Rows of the list of quantities that can be plotted, made from the channels of a mechanism.

A quantity is a channel of the samples or of an analysis (model/results/channels.py,
analysed_channels.py), or is computed from some of them: the length of a vector, its components in
other axes, the motion of a named point.  Keys beside those of channels:

    resultant/STEM            length of the vector whose components are STEMx, STEMy, STEMz
    own/body/ID/vx            component of a velocity along the axes of the body
    world/body/ID/wx          component of an angular velocity along the world's axes
    attitude/ID/yaw …         angle of a body against the world's axes (curves/attitude/angles.py)
    point/BODY/NAME/x … az    position, velocity and acceleration of a named point, in the world
    closure/JOINT/gap, error  distance that a joint stands open, and the norm of its constraints
    potential/gravity, potential/springs    parts of the potential energy
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from urllib.parse import quote

import msgspec

from mechstudio.curves.attitude.angles import ANGLES, ATTITUDE
from mechstudio.curves.potential import has_springs
from mechstudio.model.mechanism import GROUND, Body, Frame, Mechanism
from mechstudio.model.results import analysed_channels as measured
from mechstudio.model.results.channels import Channel
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import Words, tr

RESULTANT, OWN, WORLD, POINT = "resultant/", "own/", "world/", "point/"
CLOSURE = "closure/"
GRAVITY, SPRINGS = "potential/gravity", "potential/springs"
XYZ = "xyz"
# order of the groups in a list
GROUPS: tuple[Words, ...] = (
    "Gauges",
    "Joints",
    "Forces in joints",
    "Drives",
    "Couplings",
    "Forces",
    "Bodies",
    "Points",
    "Energy",
    "Constraint error",
    "Momentum",
    "Contacts",
    "Other",
)


class PlotQuantity(msgspec.Struct, frozen=True):
    """One quantity that can be plotted.

    key: as a project keeps it.  group: one of GROUPS.  element, owner: id and name of the body,
    joint, drive, coupling or force that it belongs to, "" for the whole mechanism.  name: in full
    words, "Torque of drive 1".  word: short, for a legend.  search: more words that find it.
    aliases: other names that `find` takes.  parts: keys of the channels that it is computed from.
    color, hidden, positive: as of a channel (model/results/channels.py).  counted: its value at a
    sample goes on from those before, so that it needs the whole run.
    """

    key: str
    group: str
    name: str
    word: str
    dimension: str
    parts: tuple[str, ...]
    element: str = ""
    owner: str = ""
    search: str = ""
    aliases: tuple[str, ...] = ()
    color: int | None = None
    hidden: bool = False
    positive: bool = False
    counted: bool = False

    @property
    def is_channel(self) -> bool:
        """True if it is a channel as it stands."""
        return self.parts == (self.key,)


Found = Mapping[str, Channel]
Rows = Iterator[PlotQuantity]


class Vector(NamedTuple):
    """Names of a vector's components: name and word without their last letter, and what the
    length is called.  aliases: other words for the length.
    """

    name: str
    word: str
    search: str
    aliases: tuple[str, ...] = ()
    axes: str = ""
    usual: bool = False  # default axes where none are named


def _vector(
    stem: str, about: Vector, group: str, dimension: str, found: Found, element: str, owner: str
) -> Rows:
    """The length and three components of a vector whose channels are stem + "x", "y" and "z"."""
    yield _resultant(stem, about, group, dimension, element, owner)
    yield from _components(stem, about, group, dimension, found, element, owner)


def _resultant(
    stem: str, about: Vector, group: str, dimension: str, element: str, owner: str
) -> PlotQuantity:
    return PlotQuantity(
        f"{RESULTANT}{stem}",
        group,
        tr("{about}: resultant", about=about.name),
        f"|{about.word}|",
        dimension,
        tuple(stem + axis for axis in XYZ),
        element,
        owner,
        tr("{search} magnitude length absolute", search=about.search),
        tuple(
            dict.fromkeys((about.name, tr("{about} magnitude", about=about.name), *about.aliases))
        ),
        positive=True,
    )


def _components(
    stem: str, about: Vector, group: str, dimension: str, found: Found, element: str, owner: str
) -> Rows:
    reported = about.axes and about.axes != tr(_AXES_WORDS["joint"])
    for axis in XYZ:
        key = stem + axis
        channel = found.get(key)
        plain = tr("{about}: {axis}", about=about.name, axis=axis)
        yield PlotQuantity(
            key,
            group,
            f"{plain}, {about.axes}" if about.axes else plain,
            f"{about.word}{axis} ({about.axes})" if reported else f"{about.word}{axis}",
            dimension,
            (key,),
            element,
            owner,
            tr("{search} component", search=about.search),
            (
                *((channel.label,) if channel is not None and about.usual else ()),
                *((plain,) if about.axes and about.usual else ()),
            ),
        )


def _of(channel: Channel, group: str, owner: str, search: str) -> PlotQuantity:
    """A channel under the name that it has."""
    return PlotQuantity(
        channel.key,
        group,
        channel.label,
        channel.word or channel.label,
        channel.dimension,
        (channel.key,),
        channel.element,
        owner,
        search,
        color=channel.color,
        hidden=channel.hidden,
        positive=channel.positive,
    )


def _joints(m: Mechanism, found: Found) -> Rows:
    for key, channel in found.items():
        if key.startswith("joint/"):
            joint = m.joints[channel.element]
            row = _of(channel, "Joints", joint.name, tr("joint coordinate"))
            known, place = JOINT_TYPES[joint.type].coordinates, int(key.rpartition("/")[2])
            if place < len(known) and channel.label == f"{joint.name} {known[place].name}":
                name = f"{joint.name} {tr(known[place].name)}"
                # typed names and headers of tables may be those of any language's files
                aliases = () if name == channel.label else (channel.label,)
                row = msgspec.structs.replace(
                    row, name=name, word=channel.word or name, aliases=aliases
                )
            yield row


_AXES_WORDS: dict[str, Words] = {"joint": "joint axes", "world": "world axes", "body": "body axes"}


def _reactions(m: Mechanism, found: Found) -> Rows:
    for id, joint in m.joints.items():
        for part, word, dimension, search in (
            ("F", tr("Force"), "force", tr("reaction load bearing pin")),
            ("M", tr("Torque"), "torque", tr("reaction moment load")),
        ):
            for axes, words in _AXES_WORDS.items():
                stem = measured.key_of("reactions", axes, id, part)
                about = Vector(
                    tr("{word} in {joint}", word=word, joint=joint.name),
                    f"{joint.name} {part}",
                    search,
                    () if part == "F" else (tr("Moment in {joint}", joint=joint.name),),
                    tr(words),
                    axes == "joint",
                )
                # the length is the same in all axes
                rows = _vector if axes == "joint" else _components
                yield from rows(
                    stem, about, tr("Forces in joints"), dimension, found, id, joint.name
                )


# of drives and couplings, by dimension
EFFORTS: dict[str, Words] = {
    "force": "Force of {name}",
    "torque": "Torque of {name}",
    "power": "Power of {name}",
}


def _efforts(m: Mechanism, found: Found) -> Rows:
    for key, channel in found.items():
        if not key.startswith(f"{measured.PREFIX}inverse/"):
            continue
        drive = m.drives.get(channel.element)
        column = key.rpartition("/")[2]
        owner = drive or m.couplings[channel.element]
        is_power = column.endswith("power")
        of = owner.name if drive else measured.heading(channel.label.removesuffix(" power"))
        yield PlotQuantity(
            key,
            "Drives" if drive else "Couplings",
            tr(EFFORTS["power" if is_power else channel.dimension], name=of),
            tr("{of} power", of=of) if is_power else of,
            channel.dimension,
            (key,),
            channel.element,
            owner.name,
            tr("motor actuator effort drive torque force")
            if drive
            else tr("gear effort transmission"),
            (channel.label,),
        )


def _bodies(m: Mechanism, found: Found) -> Rows:
    for id, body in m.bodies.items():
        name = body.name
        at = f"body/{id}/"
        own = tr("body axes")
        of = lambda about, stem, dimension: _vector(
            stem, about, "Bodies", dimension, found, id, name
        )
        parts = lambda about, stem, dimension: _components(
            stem, about, "Bodies", dimension, found, id, name
        )
        yield from parts(
            Vector(tr("Position of {name}", name=name), f"{name} ", tr("place origin"), usual=True),
            at,
            "length",
        )
        linear = Vector(
            tr("Velocity of {name}", name=name),
            f"{name} v",
            tr("speed linear origin"),
            (tr("Speed of {name}", name=name),),
            usual=True,
        )
        yield from of(linear, f"{at}v", "velocity")
        yield from parts(linear._replace(axes=own, usual=False), f"{OWN}{at}v", "velocity")
        yield from _attitude(body)
        turning = Vector(
            tr("Angular velocity of {name}", name=name),
            f"{name} ω",
            tr("rotation speed turning rate spin"),
            (tr("Rotation speed of {name}", name=name),),
        )
        yield _resultant(f"{at}w", turning, "Bodies", "angular_velocity", id, name)
        yield from parts(turning, f"{WORLD}{at}w", "angular_velocity")
        yield from parts(turning._replace(axes=own, usual=True), f"{at}w", "angular_velocity")
        stem = measured.key_of("kinematics", "", id, "")
        yield from of(
            Vector(
                tr("Acceleration of {name}", name=name),
                f"{name} a",
                tr("linear origin"),
                usual=True,
            ),
            f"{stem}a",
            "acceleration",
        )
        yield from of(
            Vector(
                tr("Angular acceleration of {name}", name=name),
                f"{name} α",
                tr("rotation turning"),
                usual=True,
            ),
            f"{stem}α",
            "angular_acceleration",
        )


def _attitude(body: Body) -> Rows:
    for column, angle in ANGLES.items():
        key = f"{ATTITUDE}{body.id}/{column}"
        yield PlotQuantity(
            key,
            "Bodies",
            tr(angle.name, name=body.name, axis=XYZ[angle.axis], plane=angle.plane),
            f"{body.name} {angle.word}",
            "angle",
            (key,),
            body.id,
            body.name,
            tr(angle.search),
            counted=angle.counted,
        )


def _points(m: Mechanism, found: Found) -> Rows:
    """The points that somebody has named, and those that joints and forces are attached to."""
    used: dict[str, dict[str, None]] = {}
    for frame in _frames(m):
        if frame.point and frame.body != GROUND:
            used.setdefault(frame.body, {})[frame.point] = None
    chosen = [
        (body, name)
        for id, body in m.bodies.items()
        for name in dict.fromkeys((*(p.name for p in body.points), *used.get(id, ())))
    ]
    often = [name for _, name in chosen]
    for body, name in chosen:
        yield from point_rows(body, name, often.count(name) == 1)


def _frames(m: Mechanism) -> Iterator[Frame]:
    for element in (*m.joints.values(), *m.forces.values()):
        for frame in (element.frame_a, element.frame_b):
            if frame is not None:
                yield frame


def _point_stem(body: str, name: str) -> str:
    return f"{POINT}{body}/{quote(name, safe=' ')}/"


def point_key(body: str, name: str, letter: str) -> str:
    """Key of the speed ("v") or of the length of the acceleration ("a") of a named point."""
    return f"{RESULTANT}{_point_stem(body, name)}{letter}"


def point_rows(body: Body, name: str, alone: bool) -> Rows:
    """Quantities of a named point.  alone: no other listed point is called so, and the body needs
    no naming.
    """
    full = f"{body.name}.{name}"
    short = name if alone else full
    stem = _point_stem(body.id, name)
    for word, letter, dimension, search, other in (
        ("Position", "", "length", tr("place path trajectory coordinate"), ""),
        ("Velocity", "v", "velocity", "speed", "Speed"),
        ("Acceleration", "a", "acceleration", "", ""),
    ):
        about = Vector(
            tr("{word} of {short}", word=word, short=short),
            f"{short} {letter}",
            tr("{search} point {body}", search=search, body=body.name),
            tuple(
                tr("{w} of {n}", w=w, n=n)
                for w in filter(None, (word, other))
                for n in (short, full)
            ),
        )
        if letter:
            whole = _resultant(f"{stem}{letter}", about, "Points", dimension, body.id, body.name)
            yield (
                msgspec.structs.replace(
                    whole, name=f"{other} of {short}", aliases=(*whole.aliases, whole.name)
                )
                if other
                else whole
            )
        for q in _components(f"{stem}{letter}", about, "Points", dimension, {}, body.id, body.name):
            axis = q.key[-1]
            yield msgspec.structs.replace(
                q,
                aliases=()
                if short == full
                else (tr("{word} of {full}: {axis}", word=word, full=full, axis=axis),),
            )


_WHOLE_GROUPS: dict[str, tuple[Words, Words]] = {
    "energy": ("Energy", "balance work"),
    "constraint": ("Constraint error", "gap loop closure accuracy"),
    "contact": ("Contacts", "touch impact friction"),
}


def _whole(m: Mechanism, found: Found) -> Rows:
    for key, channel in found.items():
        group, search = _WHOLE_GROUPS.get(key.partition("/")[0], ("", ""))
        if group:
            yield _of(channel, group, "", search)
    kinds = [(GRAVITY, tr("Potential energy of gravity"), "gravity", tr("height weight"))]
    if has_springs(m):
        kinds.append(
            (SPRINGS, tr("Energy of springs"), "springs", tr("elastic potential bushing stop"))
        )
    for key, name, word, search in kinds:
        yield PlotQuantity(key, "Energy", name, word, "energy", (key,), search=search)
    for id, joint in m.joints.items():
        if not JOINT_TYPES[joint.type].rows:
            continue
        for column, name in (("gap", tr("Gap of")), ("error", tr("Constraint error of"))):
            yield PlotQuantity(
                f"{CLOSURE}{id}/{column}",
                tr("Constraint error"),
                f"{name} {joint.name}",
                f"{joint.name} {column}",
                "length",
                (f"{CLOSURE}{id}/{column}",),
                id,
                joint.name,
                tr("open loop closure drift accuracy"),
                positive=True,
            )
    rate = measured.key_of("momenta", "", "", "")
    shaking = measured.key_of("shaking", "", "", "")
    for stem, name, word, dimension, search in (
        ("momentum/p", "Momentum", "p", "momentum", tr("linear impulse")),
        ("momentum/n", tr("Angular momentum"), "N", "angular_momentum", tr("moment of momentum")),
        (f"{rate}p'", tr("Rate of momentum"), "p'", "force", tr("derivative external force")),
        (
            f"{rate}N'",
            tr("Rate of angular momentum"),
            "N'",
            "torque",
            tr("derivative external moment"),
        ),
        (
            f"{shaking}shaking F",
            tr("Shaking force"),
            "Fs",
            "force",
            tr("inertia balance counterweight"),
        ),
        (
            f"{shaking}shaking M",
            tr("Shaking moment"),
            "Ms",
            "torque",
            tr("inertia balance counterweight"),
        ),
    ):
        about = Vector(name, word, search, usual=True)
        yield from _vector(stem, about, "Momentum", dimension, found, "", "")


def listed(m: Mechanism, found: Found) -> list[PlotQuantity]:
    """All rows of a mechanism with some channels."""
    rows = [
        q
        for make in (_joints, _reactions, _efforts, _bodies, _points, _whole)
        for q in make(m, found)
    ]
    # channels of samples for which no rows are made here stand under their own names
    named = {part for q in rows for part in (q.key, *q.parts)}
    owners = {**m.bodies, **m.joints, **m.drives}
    for key, channel in found.items():
        if key not in named and not measured.is_measured(key):
            owner = owners.get(channel.element)
            rows.append(_of(channel, channel.group, "" if owner is None else owner.name, ""))
    return rows


def by_group(rows: Iterable[PlotQuantity]) -> list[PlotQuantity]:
    """Rows in the order of their groups, and of each group as they come."""
    order = {group: k for k, group in enumerate(GROUPS)}
    return sorted(rows, key=lambda q: order.get(q.group, len(GROUPS)))
