"""Plot quantities that no sample holds: an analysis finds them after the run.  A new one is one
more entry here.

Keys are measured/WHAT/SAID/ELEMENT/COLUMN, of constants of the motion with their words as COLUMN:
an analysis over the time, its options, an id, and the name of the column less its element's.
SAID is, of reactions AXES or AXES@PLACE, of momenta - or -@PLACE, of relative motion the body it is
seen from, of inverse dynamics - or JOINT=TEXT of a given motion, else -.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote

from msgspec.structs import replace

from mechstudio.model.mechanism import GROUND, Joint, Mechanism
from mechstudio.model.results.channels import Channel
from mechstudio.model.results.force_columns import HEADINGS, force_columns
from mechstudio.model.types.analyses import ANALYSES, AXES, Options
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.translation import comma, tr

PREFIX = "measured/"
ALONE, AT, IS = "-", "@", "="  # of the options of an analysis
_XYZ = tuple("xyz")
_REACTION = tuple(
    (f"{part}{axis}", dimension)
    for part, dimension in (("F", "force"), ("M", "torque"))
    for axis in _XYZ
)
_KINEMATICS = tuple(
    (f"{part}{axis}", dimension)
    for part, dimension in (("a", "acceleration"), ("α", "angular_acceleration"))
    for axis in _XYZ
)
# of these the samples hold most themselves, the angular velocity in axes of the body: a plot that
# is to show a table's columns shows these
_WHOLE = (
    *(
        (f"{part}{axis}", dimension)
        for part, dimension in (("x", "length"), ("v", "velocity"), ("ω", "angular_velocity"))
        for axis in _XYZ
    ),
    *_KINEMATICS,
)
_RELATIVE = tuple(
    (f"{part} {axis}", dimension)
    for part, dimension in (
        ("v_rel", "velocity"),
        ("v_tr", "velocity"),
        ("a_rel", "acceleration"),
        ("a_tr", "acceleration"),
        ("a_cor", "acceleration"),
        ("a", "acceleration"),
    )
    for axis in _XYZ
)
_DRIFT = ("error", "as the equation says")
_RATES = tuple(
    (f"{part}{axis}", dimension)
    for part, dimension in (("p'", "force"), ("N'", "torque"))
    for axis in _XYZ
)
_SHAKING = tuple(
    (f"shaking {part}{axis}", dimension)
    for part, dimension in (("F", "force"), ("M", "torque"))
    for axis in _XYZ
)
_ABOUT = ("momenta", "shaking")  # analyses whose one option is a point
# about another point than the origin all of them change
_MOMENTA = (
    *(
        (f"{part}{axis}", dimension)
        for part, dimension in (("p", "momentum"), ("N", "angular_momentum"))
        for axis in _XYZ
    ),
    *_RATES,
)
# numbers of a table over the time that samples hold themselves
_RECORDED = {
    "energy": {name: f"energy/{name}" for name in ("kinetic", "potential", "work", "balance")},
    "momenta": {
        f"{a}{axis}": f"momentum/{b}{axis}" for a, b in (("p", "p"), ("N", "n")) for axis in _XYZ
    },
}
_MOTION = "motion of "  # begins the name of a motion given to an analysis
# beginnings of the names of conserved quantities (engine/structure/conservation.py), and of how far
# it has changed
_CONSTANT, _CHANGE = ("momentum ", "angular momentum "), "change of "


def change_of(words: str) -> str:
    """The name of a constant's change since the start."""
    return f"{_CHANGE}{words}"


def momentum_dimension(words: str) -> str:
    """The dimension of a constant, or its change, by its name; "" for what is none."""
    first = words.removeprefix(_CHANGE)
    return {_CONSTANT[0]: "momentum", _CONSTANT[1]: "angular_momentum"}.get(
        next((c for c in _CONSTANT if first.startswith(c)), ""), ""
    )


def key_of_constant(words: str) -> str:
    """The key of a constant of the motion, or of its change, by its name."""
    return key_of("momenta", "", "", quote(words, safe=" ,()"))


def is_measured(key: str) -> bool:
    """True if a channel comes from an analysis."""
    return key.startswith(PREFIX)


def key_of(what: str, said: str, element: str, column: str) -> str:
    """The key of a column of an analysis.   said: as in a key, "" for nothing."""
    return f"{PREFIX}{what}/{quote(said, safe=' @=+*()') or ALONE}/{element or ALONE}/{column}"


def analysed_channels(
    mechanism: Mechanism,
    axes: Iterable[str] = ("joint",),
    seen_from: Iterable[str] = (),
    whole: bool = False,
    points: Iterable[str] = (ALONE,),
    motions: Iterable[str] = (ALONE,),
) -> dict[str, Channel]:
    """The channels by key; labels are the columns of the analysis' table.

    axes, points, motions: options of reactions, momenta and inverse dynamics; seen_from:
    bodies of relative motions.  whole: with those too that samples hold in a like form, and the
    decay of an error.
    """
    out: dict[str, Channel] = {}

    def add(what: str, said: str, element: str, column: str, label: str, dimension: str) -> None:
        key = key_of(what, said, element, column)
        out[key] = Channel(key, label, dimension, (), element, ANALYSES[what].curves)

    for id, joint in mechanism.joints.items():
        for said in axes:
            for column, dimension in _REACTION:
                add("reactions", said, id, column, f"{joint.name} {column}", dimension)
    for motion in motions:
        for element, column, label, dimension in _efforts(mechanism, motion, whole):
            add("inverse", motion, element, column, label, dimension)
    for id, force in mechanism.forces.items():
        for column, dimension in force_columns(mechanism, force):
            add("forces", ALONE, id, column, f"{force.name} {column}", dimension)
    for id, body in mechanism.bodies.items():
        for column, dimension in _WHOLE if whole else _KINEMATICS:
            add("kinematics", ALONE, id, column, f"{body.name} {column}", dimension)
        for said in seen_from:
            if said == GROUND or (said in mechanism.bodies and said != id):
                for column, dimension in _RELATIVE:
                    add("relative", said, id, column, f"{body.name} {column}", dimension)
    for said in points:
        for column, dimension in _MOMENTA if said != ALONE else _RATES:
            add("momenta", said, "", column, column, dimension)
        for column, dimension in _SHAKING:
            add("shaking", said, "", column, column, dimension)
    for column in _DRIFT if whole else ():
        add("drift", ALONE, "", column, column, "length")
    return out


def reported_words(mechanism: Mechanism, key: str) -> str:
    """Options of the analysis behind a channel, in words: "world axes, at B", "seen from crank";
    empty for none.
    """
    if not is_measured(key):
        return ""
    _, what, said, _, _ = key.split("/")
    first, _, place = unquote(said).partition(AT if what != "inverse" else "\0")
    names = {
        **{id: j.name for id, j in mechanism.joints.items()},
        GROUND: mechanism.ground.name,
        **{id: b.name for id, b in mechanism.bodies.items()},
    }
    body, _, point = place.partition(".")
    at = (
        tr("at {names}", names=names.get(place) or f"{names.get(body, body)}.{point}")
        if place
        else ""
    )
    if what == "reactions":
        return comma().join(
            filter(
                None,
                (
                    {
                        "joint": tr("joint axes"),
                        "world": tr("world axes"),
                        "body": tr("axes of the body"),
                    }.get(first, ""),
                    at,
                ),
            )
        )
    return (
        at
        if what in _ABOUT
        else tr("seen from {names}", names=names.get(first, first))
        if what == "relative"
        else first
        if what == "inverse" and first != ALONE
        else ""
    )


def _efforts(mechanism: Mechanism, motion: str, stops: bool) -> Iterator[tuple[str, str, str, str]]:
    """(element, column, label, dimension) of the efforts of drives and couplings, and their power.
    motion: JOINT=TEXT of a joint that is driven so, or ALONE.

    stops: with those of hard stops, which a table has where something lay against them.
    """

    def of(name: str, joint: Joint, coordinate: int) -> tuple[str, str]:
        kind = JOINT_TYPES[joint.type]
        words = f"{name} on {joint.name}" + (
            f" {kind.coordinates[coordinate].name}" if kind.dof > 1 else ""
        )
        return words, "torque" if kind.coordinates[coordinate].dimension == "angle" else "force"

    m, given = mechanism, motion.partition(IS)[0] if motion != ALONE else ""
    ends = [
        (d.id, "", d.name, d.joint, d.coordinate)
        for d in m.drives.values()
        if d.enabled and (d.joint, d.coordinate) != (given, 0)
    ]
    ends += (
        [(given, "motion ", f"{_MOTION}{m.joints[given].name}", given, 0)]
        if given in m.joints
        else []
    )
    # without a motion there is no inverse dynamics
    ends += (
        [
            (c.id, f"end {n} ", c.name, e.joint, e.coordinate)
            for c in m.couplings.values()
            for n, e in enumerate(c.ends, 1)
        ]
        if ends
        else []
    )
    ends += (
        [
            (j.id, f"stop {n} ", j.name, j.id, n)
            for j in m.joints.values()
            for n in sorted({a.coordinate for a in j.limits if a.stiffness is None})
        ]
        if ends and stops
        else []
    )
    for element, first, name, id, coordinate in ends:
        joint = m.joints.get(id)
        if joint is None or coordinate >= JOINT_TYPES[joint.type].dof:
            continue
        words, dimension = of(name, joint, coordinate)
        yield element, f"{first}effort", words, dimension
        yield element, f"{first}power", f"{words} power", "power"


def heading(column: str) -> str:
    """A column of an analysis as it is shown: what tables, keys and labels hold is English, since
    processes and files of another language read it too.
    """
    for word, shown in HEADINGS.items():
        if column.endswith(f" {word}"):
            return tr(shown, of=heading(column.removesuffix(f" {word}")))
    # a name that has the word itself is left as it is
    first, on, joint = column.partition(" on ")
    if on and " on " not in joint:
        return tr("{name} on {joint}", name=heading(first), joint=joint)
    if column.startswith(_MOTION):
        return tr("motion of {joint}", joint=column.removeprefix(_MOTION))
    return column


def known(mechanism: Mechanism, keys: Iterable[str]) -> dict[str, Channel]:
    """Those of the keys that the mechanism has, whatever axes, places, bodies and motions they
    name.
    """
    keys = tuple(keys)
    parts = [
        (p[1], unquote(p[2])) for key in keys if is_measured(key) and len(p := key.split("/")) == 5
    ]
    if not parts:
        return {}

    def reported(what: str) -> tuple[str, ...]:
        sensible = (said for w, said in parts if w == what and _makes_sense(mechanism, what, said))
        return tuple(dict.fromkeys(sensible))

    wide = analysed_channels(
        mechanism,
        (*AXES, *reported("reactions")),
        reported("relative"),
        True,
        (ALONE, *(said for what in _ABOUT for said in reported(what))),
        (ALONE, *reported("inverse")),
    )
    constants = {
        key_of_constant(words): Channel(
            key_of_constant(words),
            words,
            momentum_dimension(words),
            (),
            group=ANALYSES["momenta"].curves,
        )
        for words in (unquote(key.rpartition("/")[2]) for key in keys)
        if momentum_dimension(words)
    }
    wide |= constants
    return {key: wide[key] for key in keys if key in wide}


def _makes_sense(mechanism: Mechanism, what: str, said: str) -> bool:
    """True if the options of reactions, momenta or inverse dynamics are valid and name existing
    elements; always for another analysis.
    """
    if what in ("reactions", *_ABOUT):
        axes, _, place = said.partition(AT)
        body, _, point = place.partition(".")
        known_place = (
            not place
            or place in mechanism.joints
            or (
                body in (GROUND, *mechanism.bodies)
                and (not point or point in mechanism.body(body).named_points())
            )
        )
        return known_place and (axes in AXES if what == "reactions" else axes == ALONE)
    if what == "inverse":
        return said == ALONE or said.partition(IS)[0] in mechanism.joints
    return True


def keys_of_columns(
    mechanism: Mechanism, what: str, options: Options, labels: Sequence[str]
) -> dict[int, str]:
    """The channels that are columns of an analysis' table over the time, by column."""
    if (options.point is not None and not isinstance(options.point, str)) or len(
        options.motion
    ) > 1:
        return {}
    place = f"{AT}{options.point}" if options.point else ""
    names = {j.name: id for id, j in mechanism.joints.items()}
    motion = next(
        (f"{names.get(joint, joint)}{IS}{text}" for joint, text in options.motion.items()), ALONE
    )
    said = {
        "reactions": options.axes + place,
        "relative": options.seen_from,
        **dict.fromkeys(_ABOUT, ALONE + place),
        "inverse": motion,
    }.get(what, ALONE)
    found = analysed_channels(
        mechanism, (options.axes + place,), (options.seen_from,), True, (ALONE + place,), (motion,)
    )
    first = key_of(what, said, "", "").removesuffix(f"{ALONE}/")
    own = {c.label: key for key, c in found.items() if key.startswith(first)} | (
        {} if place else _RECORDED.get(what, {})
    )
    if what == "momenta" and not place:
        own |= {label: key_of_constant(label) for label in labels if momentum_dimension(label)}
    return {k: own[label] for k, label in enumerate(labels) if label in own}


class Question(NamedTuple):
    """Request to an analysis for some curves.  said: as in a key; element: an id of relative
    motion, else "": of all at once, which costs hardly more; duration, sample_step [s].
    """

    what: str
    said: str
    element: str
    duration: float
    sample_step: float

    @property
    def options(self) -> Options:
        """The same as an option of an analysis."""
        common = Options(duration=self.duration, sample_step=self.sample_step)
        first, _, place = self.said.partition(AT)
        if self.what == "reactions":
            return replace(common, axes=first, point=place or None)
        if self.what in _ABOUT:
            return replace(common, point=place or None)
        if self.what == "relative":
            return replace(common, frames=(self.element,), seen_from=self.said)
        if self.what == "inverse" and self.said != ALONE:
            joint, _, text = self.said.partition(IS)
            return replace(common, motion={joint: text})
        return common


def questions(
    mechanism: Mechanism, keys: Iterable[str], duration: float, sample_step: float
) -> dict[Question, tuple[str, ...]]:
    """Requests to analyses for the keys, each with the keys that it answers."""
    out: dict[tuple[str, str, str], list[str]] = {}
    for key in known(mechanism, keys):
        _, what, said, element, _ = key.split("/")
        out.setdefault((what, unquote(said), element if what == "relative" else ""), []).append(key)
    return {
        Question(what, said, element, duration, sample_step): tuple(those)
        for (what, said, element), those in out.items()
    }
