"""Reading what was written gives the same project, writing what was read the same bytes."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from mechstudio.files.project_file import decode, encode, load, save
from mechstudio.model.project import Camera, Project
from tests.strategies import cameras, projects

SAMPLES = sorted((Path(__file__).parents[3] / "samples").glob("*.mech"))


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(projects(), cameras)
def test_any_project(project, camera):
    data = encode(project, camera)
    loaded = decode(data)
    assert loaded.project == project
    assert loaded.camera == camera
    assert encode(loaded.project, loaded.camera) == data


@pytest.mark.slow
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(projects())
def test_layout_of_the_text(project):
    text = encode(project).decode()
    lines = text.split("\n")
    assert lines[0].startswith('{"mechstudio": 2, "written_by": "')
    assert text.endswith("\n}\n")
    if not any(b"NaN" in u.raw or b'"a": 1, "a"' in u.raw for u in project.unread):
        json.loads(text)
    m = project.mechanism
    elements = (
        len(m.bodies)
        + len(m.joints)
        + len(m.couplings)
        + len(m.drives)
        + len(m.forces)
        + len(project.plots)
        + len(project.parameters)
        + len(project.groups)
        + len(project.unread)
    )
    extra = sum(
        len(v)
        for v in project.extra.values()
        if isinstance(v, list) and v and all(isinstance(x, dict) for x in v)
    )
    assert sum(line.startswith(" ") for line in lines) == elements + extra


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_samples_are_canonical(path):
    loaded = load(path)
    assert loaded.findings == ()
    assert encode(loaded.project, loaded.camera) == path.read_bytes()


def test_moving_one_pin_changes_one_line():
    from mechstudio.model.edits.elements import set_quantity

    loaded = load(next(p for p in SAMPLES if p.stem == "door_two_hinges"))
    before = encode(loaded.project).split(b"\n")
    joint = next(iter(loaded.project.mechanism.joints))
    after = encode(
        set_quantity(loaded.project, joint, ("frame_a", "placement", "position", 0), "12.5 mm")
    ).split(b"\n")
    assert len(before) == len(after)
    assert sum(a != b for a, b in zip(before, after)) == 1


def test_the_empty_project(tmp_path):
    save(tmp_path / "empty.mech", Project())
    assert (tmp_path / "empty.mech").read_text() == '{"mechstudio": 2, "written_by": "0.1.0"\n}\n'
    assert load(tmp_path / "empty.mech").project == Project()


def test_camera_is_a_line_of_its_own_and_no_part_of_the_project():
    a, b = (decode(encode(Project(note="x"), camera)) for camera in (Camera(azimuth=10.0), None))
    assert a.project == b.project
    assert a.camera == Camera(azimuth=10.0) and b.camera is None
    assert b'\n"view": {"azimuth": 10}' in encode(Project(), Camera(azimuth=10.0))
