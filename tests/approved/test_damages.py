"""Files with one entry of one element replaced or left out: what the findings say of each."""

import json

import numpy as np

import mechstudio as ms
from mechstudio.files.project_file import ProjectFileError, decode, encode
from mechstudio.model.geometry.mesh import packed
from mechstudio.model.geometry.triangles import Mesh
from mechstudio.model.geometry.work_plane import WorkPlane
from mechstudio.model.project import (
    Camera,
    Diagram,
    Group,
    Measurement,
    Picture,
    Plot,
    PlotLayout,
    ReportChoice,
)
from mechstudio.model.studies.setup import (
    MeasuredColumn,
    MeasuredQuantity,
    RankCorrelation,
    StudySetup,
    VariedParameter,
)

PLANE = WorkPlane("oblique", (0, 0, 1), (1, 0, 0), (0, 0.6, 0.8))
ABSENT, MORE = "absent", "more"
LONG = "abcdefghij" * 6  # an entry that no version knows
INSTEAD = ("Q", -1, ABSENT)
ODD = (None, 1e13, [], ["2 mm", "x"], True, {})  # of which each place takes one
STUDY = StudySetup(
    "one",
    "loads",
    (VariedParameter("L", "0.2..0.4 m:3"), VariedParameter("k", "1..2 m")),
    (MeasuredQuantity("at", "joint/P/0", "P angle", "1 s", "", "rising", "<=", "2 rad", "least"),),
    (RankCorrelation("L", "k", 0.5),),
    "latin",
    4,
    7,
    True,
    "2 s",
    "0.1 s",
    "said",
)
FIT = StudySetup(
    "two",
    "fit",
    (VariedParameter("L", "0.2..0.4 m"),),
    method="fit",
    runs=50,
    data="data.csv",
    clock="time",
    columns=(MeasuredColumn("P", "joint/P/0", "P angle"),),
)
SHORTEST = 200  # letters of a message that are held
CORNERS = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], float)
MESH = Mesh(*packed(CORNERS, np.array([(0, 2, 1), (0, 3, 2), (0, 1, 3), (1, 2, 3)])), "part")


CAMERA = Camera((1, 2, 3), 10, 20, 2, False, PLANE, True, "a", True, (0, 1, 0, 0))


def rich():
    """A project with one element of each kind, and with most of what one may have."""
    m = ms.Builder("rich", "to read", ("Why?",), note="said", level=1)
    m.parameter("L", "0.3 m", minimum="0.1 m", maximum="1 m", slider=True, note="length")
    m.parameter("k", "2*L", "length")
    a = m.link("a", (0, 0, 0), ("L", 0, 0))
    b = m.body("b", (0.3, 0, 0), mass="2 kg", center_of_mass=(0, 0, 0.1), inertia=(1, 2, 2.5))
    b.plate([(0, 0), (0.1, 0), (0, 0.1)], 0.01, 0.02).point("Q", at=(0, 0, 0.2))
    c = m.body("c", (2, 0, 0)).mesh(MESH)
    pin = m.pin("P", m.ground, a, at=(0, 0, 0), value="10 deg", rate="1 rad/s")
    knee = m.pin("K", a, b, at=(0.3, 0, 0), limits=("-1 rad", "1 rad"))
    slide = m.joint("prismatic", "S", m.ground, c, at=(2, 0, 0), axis=(0, 0, 1))
    way = ((0, 0, 0), (1, 0, 0.3))
    m.joint("point_on_curve", "O", m.ground, b, at=(0.3, 0, 0.2), curve=way)
    m.gear("G", pin, knee, ratio="2")
    m.cam("C", pin, slide, law=ms.table((0, 0), (1, 0.1), (2, 0)))
    m.drive("D", pin, speed=ms.sine("1 rad/s", "2 Hz"))
    ends = ((0, 0, 0.5), (0.3, 0, 0))
    m.force("spring", "F", a=m.ground, b=b, at=ends, stiffness="90 N/m", free_length="0.1 m")
    m.force("torsion_spring", "T", joint=knee, stiffness=ms.ramp(1, 2), free_angle=0)
    m.force("force", "load", body=b, at=(0, 0, 0), vector=("2 N", 0, 0), axes="body")
    m.floor("-1 m", friction=0.4)
    m.touch(step="1 ms", impacts="sequential")
    m.surface(b, "steel", restitution=0.5)
    m.pair(a, b, False)
    m.pair(a, c, True, friction=0.2)
    m.mark("trail", b, "Q", value=2.0, color="time")
    m.gauge("gap", ms.point_on(b, (0, 0, 0)), pin)
    m.step("First", "Look at {joint/P/0}.", sliders=("L",), begin=0.1, end=2.0)
    m.ask("number", "How far?", answer="2 deg", dimension="angle", tolerance=0.1)
    values = np.array([0.0, 1.0]).tobytes()
    across = Diagram("over", across="joint/K/0", level=1.0)
    m.replace(
        groups={"g": Group("g", "group", ("a", "b"))},
        pictures={"p": Picture("p", "photo", "photo.png", aspect=2.0)},
        measurements=(Measurement("d", "data", "joint/P/0", values, values, 0.1, "data.csv"),),
        plots=(Plot("v", "view", ("joint/P/0",), True, across),),
        plot_layout=PlotLayout("row", ("v",), (1.0,)),
        studies=(STUDY, FIT),
        report=ReportChoice(("drawing",), ("plots",), "us-letter"),
    )
    m.run(duration="2 s", integrator="rk4", step="1 ms")
    return m.project()


def places(value, way=()):
    """Ways to all entries of a file, and the entries."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in inner:
        yield (*way, key), part
        if isinstance(part, dict | list):
            yield from places(part, (*way, key))


def damaged(whole, way, instead):
    """The file with another value, or none, in one place."""
    key, *rest = way
    data = whole.copy()
    if rest:
        data[key] = damaged(whole[key], rest, instead)
    elif instead == ABSENT:
        del data[key]
    else:
        data[key] = {**whole[key], LONG: 1} if instead == MORE else instead
    return data


def test_each_damage_is_reported_as_approved(approved):
    whole = json.loads(encode(rich(), CAMERA))
    lines = [json.dumps(whole, indent=None)]
    assert decode(json.dumps(whole).encode()).findings == ()
    for number, (way, entry) in enumerate(places(whole)):
        lines.append("/".join(map(str, way)))
        reported: dict[str, list[str]] = {}
        more = (MORE,) if isinstance(entry, dict) else ()
        for instead in (*INSTEAD, ODD[number % len(ODD)], *more):
            try:
                found = decode(json.dumps(damaged(whole, way, instead)).encode()).findings
                words = found[0].element + ": " + found[0].message if found else "taken"
            except ProjectFileError as error:
                words = f"refused: {error}"
            reported.setdefault(words[:SHORTEST], []).append(json.dumps(instead))
        lines += [f"  {' '.join(row)}: {words}" for words, row in reported.items()]
    approved.holds("damages.txt", "\n".join(lines) + "\n")
