"""Trails and curves in files: read back, they lie where the engine says, in the units that stand in
the file, whole and with both branches.
"""

import csv
import io
import xml.etree.ElementTree as ET
from types import SimpleNamespace

import ezdxf
import numpy as np
import pytest

from mechstudio.api.runs import simulate
from mechstudio.application.marks.exported_paths import ExportedPath, exported, path_marks
from mechstudio.application.marks.path_files import content
from mechstudio.application.marks.places import body_point, positions
from mechstudio.application.preferences import Preferences
from mechstudio.application.resources import sample_folder
from mechstudio.application.runs.recording import Recording
from mechstudio.application.studio import Studio
from mechstudio.engine.structure.point_curves import point_curves
from mechstudio.files.project_file import load
from mechstudio.model.edits.marks import Place, with_marks
from mechstudio.model.results.sample import sample_layout


@pytest.fixture(scope="module")
def engine():
    """The four-bar, its samples, and the curves of its coupler point."""
    project = load(sample_folder() / "four_bar.mech").project
    layout = sample_layout(project.mechanism)
    result = simulate(project, duration=0.5, sample_step=1e-3)
    rows = np.zeros((len(result.time), layout.width))
    rows[:, 0] = result.time
    rows[:, layout.poses] = result.poses.reshape(len(rows), -1)
    at = body_point(project.mechanism, Place("coupler", "P"))
    return project, rows, point_curves(project, [(at.body, at.local)])


@pytest.fixture
def studio(engine):
    project, rows, curves = engine
    studio = Studio(Preferences())
    project = with_marks(project, "trail", [Place("coupler", "P")])
    project = with_marks(project, "whole_turn", [Place("coupler", "P")])
    studio.files.show(project, None, None)
    recording = Recording(project)
    recording.append(rows)
    recording.finish(True)
    studio.runs._session = SimpleNamespace(recording=recording)
    turns = studio.marks.whole_turns
    at = studio.marks.body_point(project.marks[0])
    turns._pending, turns._asker.result, turns._asker.state = (
        ((at.body, at.local),),
        curves,
        "ready",
    )
    yield studio
    studio.close()


def paths(studio):
    return exported(studio, path_marks(studio, ()))


def dxf_polylines(text):
    """Flags and points (n, 3) of each polyline, with its layer: an own reader of group codes."""
    lines = text.splitlines()
    groups = [(int(lines[k]), lines[k + 1]) for k in range(0, len(lines) - 1, 2)]
    assert groups[-1] == (0, "EOF") and len(lines) % 2 == 0
    found, entity, current = [], "", {}
    for code, value in groups:
        if code == 0:
            if entity == "VERTEX":
                found[-1][2].append([float(current[k]) for k in (10, 20, 30)])
            if value == "POLYLINE":
                found.append([0, "", []])
            entity, current = value, {}
        else:
            current[code] = value
            if entity == "POLYLINE":
                found[-1][:2] = int(current.get(70, 0)), current.get(8, "")
    return [(flags, layer, np.array(points)) for flags, layer, points in found]


def of_csv(data):
    head, *rows = csv.reader(io.StringIO(data.decode()))
    numbers = np.array([[float(x) if x else np.nan for x in row] for row in rows])
    return head, numbers


def engine_places(engine):
    project, rows, _ = engine
    at = body_point(project.mechanism, Place("coupler", "P"))
    return positions(sample_layout(project.mechanism), rows, at)


def test_a_table_has_units_and_both_branches_and_every_digit(studio, engine):
    head, numbers = of_csv(content(paths(studio), "csv", "mm-N-deg"))
    assert head[:5] == [
        "P of coupler, time [s]",
        "P of coupler, x [mm]",
        "P of coupler, y [mm]",
        "P of coupler, z [mm]",
        "P of coupler, arc length [mm]",
    ]
    assert head[5] == "P of coupler, branch 1, input A [deg]" and len(head) == 15
    places, count = engine_places(engine), len(engine[1])
    assert np.abs(numbers[:count, 1:4] - 1e3 * places).max() < 1e-9
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    assert numbers[count - 1, 4] == pytest.approx(1e3 * steps.sum())
    # the whole curve is what the engine found, each branch with its own inputs
    for k, circuit in enumerate(engine[2].circuits):
        points = np.frombuffer(circuit.curves[0].points, "<f8").reshape(-1, 3)
        inputs = np.degrees(np.frombuffer(circuit.inputs, "<f8"))
        block = numbers[: len(points), 5 + 5 * k : 10 + 5 * k]
        assert np.abs(block[:-1, 1:4] - 1e3 * points[:-1]).max() < 1e-9
        assert np.abs(block[:-1, 0] - inputs[:-1]).max() < 1e-9
        # the search goes on a part of a step beyond its beginning; the table ends there
        assert (block[-1, 1:4] == block[0, 1:4]).all()
        assert block[-1, 0] == pytest.approx(block[0, 0] + 360.0) and inputs[-1] > block[-1, 0]
        assert np.isnan(numbers[len(points) :, 5 + 5 * k]).all()


def test_a_table_in_other_units(studio):
    head, numbers = of_csv(content(paths(studio)[:1], "csv", "m-N-rad"))
    assert head[1] == "P of coupler, x [m]" and np.nanmax(np.abs(numbers[:, 1:4])) < 2.0


def test_a_dxf_has_flat_polylines_in_millimetres_of_the_front_plane(studio, engine):
    found = dxf_polylines(content(paths(studio), "dxf", "m-N-rad").decode())
    assert [layer for _, layer, _ in found] == [
        "P_OF_COUPLER",
        "P_OF_COUPLER_BRANCH_1",
        "P_OF_COUPLER_BRANCH_2",
    ]
    assert [flags for flags, _, _ in found] == [0, 1, 1]
    places = engine_places(engine)
    assert np.abs(found[0][2] - 1e3 * places[:, [0, 2, 1]] * (1, 1, 0)).max() < 1e-9
    whole = np.frombuffer(engine[2].circuits[1].curves[0].points, "<f8").reshape(-1, 3)
    assert np.abs(found[2][2][:, :2] - 1e3 * whole[:-1, [0, 2]]).max() < 1e-6


def test_an_svg_is_as_many_millimetres_wide_as_the_curve_and_its_edge(studio, engine):
    root = ET.fromstring(content(paths(studio)[:1], "svg", "m-N-rad"))
    places = 1e3 * engine_places(engine)
    box = [float(x) for x in root.get("viewBox").split()]
    assert root.get("width").endswith("mm") and float(root.get("width")[:-2]) == box[2]
    assert box[2] == pytest.approx(np.ptp(places[:, 0]) + 10)
    assert box[3] == pytest.approx(np.ptp(places[:, 2]) + 10)
    (line,) = root.iter("{http://www.w3.org/2000/svg}polyline")
    points = np.array([[float(x) for x in p.split(",")] for p in line.get("points").split()])
    assert np.abs(points * (1, -1) - places[:, [0, 2]]).max() < 1e-9


def path(points, closed=False, name="p"):
    points = np.array(points, float)
    return ExportedPath(name, points, np.arange(len(points)), "time", "time", closed, False, 0)


def test_paths_in_space_keep_three_coordinates_and_the_svg_says_what_it_leaves_out():
    t = np.linspace(0, 4 * np.pi, 200)
    helix = path(np.column_stack([np.cos(t), 0.01 * t, np.sin(t)]))
    ((flags, _, points),) = dxf_polylines(content([helix], "dxf", "m-N-rad").decode())
    assert flags == 8 and np.abs(points - 1e3 * helix.points).max() < 1e-9
    said = content([helix], "svg", "m-N-rad").decode()
    assert "Seen from front" in said and "their depth is left out" in said


def test_gaps_points_and_names_that_files_do_not_allow():
    broken = path([[0, 0, 0], [1, 0, 0], [np.nan, 0, 0], [3, 0, 1], [3, 0, 1]], name='Ä "<&>" 名')
    found = dxf_polylines(content([broken, broken], "dxf", "m-N-rad").decode())
    assert [len(points) for _, _, points in found] == [2, 1, 2, 1]
    assert len({layer for _, layer, _ in found}) == 2
    assert all(
        set(layer) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-$") for _, layer, _ in found
    )
    ET.fromstring(content([broken], "svg", "m-N-rad"))
    nothing = path(np.full((2, 3), np.nan))
    for format in ("csv", "dxf", "svg"):
        assert content([nothing], format, "m-N-rad")


def test_layers_of_a_dxf_are_seen_and_free_with_their_colour_and_dashes():
    """Read by another program: grey for ground, and dashes for another branch."""
    square = [[0, 0, 0], [2, 0, 0], [2, 0, 1], [0, 0, 1], [0, 0, 0]]
    expected = [(0, False, 5), (1, True, 30), (9, False, 30), (-1, True, 8)]
    given = [
        path(square, True, f"p{k}")._replace(color=color, other=other)
        for k, (color, other, _) in enumerate(expected)
    ]
    document = ezdxf.read(io.StringIO(content(given, "dxf", "m-N-rad").decode()))
    audit = document.audit()
    assert not audit.errors and not audit.fixes and document.dxfversion == "AC1009"
    assert [document.header[key] for key in ("$EXTMIN", "$EXTMAX")] == [(0, 0, 0), (2e3, 1e3, 0)]
    for k, (_, other, aci) in enumerate(expected):
        layer = document.layers.get(f"P{k}")
        assert layer.is_on() and not layer.is_frozen() and not layer.is_locked()
        assert layer.color == aci and (layer.dxf.linetype.upper() == "DASHED") == other
    dashed = document.linetypes.get("DASHED").pattern_tags.tags
    assert [tag.value for tag in dashed if tag.code in (40, 49, 73)] == [2, 3.2, 2.0, -1.2]
    lines = list(document.modelspace())
    assert [line.dxf.layer for line in lines] == ["P0", "P1", "P2", "P3"]
    for line in lines:
        assert line.is_closed and line.get_mode() == "AcDb2dPolyline"
        assert [tuple(p) for p in line.points()] == [
            (0, 0, 0),
            (2e3, 0, 0),
            (2e3, 1e3, 0),
            (0, 1e3, 0),
        ]


def test_only_paths_of_what_is_meant(studio):
    assert len(path_marks(studio, (Place("coupler", "P"),))) == 2
    assert path_marks(studio, (Place("crank"),)) == ()
