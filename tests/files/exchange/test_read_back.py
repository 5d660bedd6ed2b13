"""Every format of every sample, written and read back by another program than ours; what a format
refuses is refused in a sentence whose reason is listed here.
"""

import json
import re
import zipfile
from pathlib import Path

import pytest

import mechstudio as ms

SAMPLES = sorted((Path(__file__).parents[3] / "samples").glob("*.mech"))
# words of the sentences by which a format may refuse a sample; others take them all
REASONS = {
    ".fmu": "contacts|the stops of joint|the curve of joint|which sticks|terms",
    ".ipynb": "terms",
    ".dxf": "there is no outline to write",
}


def by_mujoco(path: Path, project) -> None:
    mujoco = pytest.importorskip("mujoco")
    if path.suffix == ".urdf":
        # links without mass stand between the turns of a ball, which MuJoCo alone refuses
        text = path.read_text("utf-8")
        bounds = '<mujoco><compiler boundmass="1e-9" boundinertia="1e-12"/></mujoco></robot>'
        path.write_text(text.replace("</robot>", bounds), "utf-8")
    model = mujoco.MjModel.from_xml_path(str(path))
    assert model.nbody > 1
    mujoco.mj_forward(model, mujoco.MjData(model))


def by_trimesh(path: Path, project) -> None:
    trimesh = pytest.importorskip("trimesh")
    scene = trimesh.load_scene(path)
    shapes = sum(
        bool(b.shapes) and b.visible
        for b in (project.mechanism.ground, *project.mechanism.bodies.values())
    )
    assert bool(shapes) == bool(scene.geometry)
    for mesh in scene.geometry.values():
        assert len(mesh.faces) and mesh.is_winding_consistent


def by_ezdxf(path: Path, project) -> None:
    ezdxf = pytest.importorskip("ezdxf")
    document = ezdxf.readfile(path)
    assert len(document.modelspace()) and not document.audit().has_errors


def by_fmpy(path: Path, project) -> None:
    fmpy = pytest.importorskip("fmpy")
    found = fmpy.read_model_description(str(path))
    assert found.fmiVersion == "3.0" and found.coSimulation is not None and found.modelVariables


def by_zipfile(path: Path, project) -> None:
    with zipfile.ZipFile(path) as opened:
        assert opened.testzip() is None
        (inside,) = [n for n in opened.namelist() if n.endswith(".mech")]
        assert json.loads(opened.read(inside))


def by_python(path: Path, project) -> None:
    compile(path.read_text("utf-8"), str(path), "exec")


def by_nbformat(path: Path, project) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbformat.validate(nbformat.read(path, as_version=4))


def by_json(path: Path, project) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(
        (Path(__file__).parents[3] / "resources" / "schema")
        .glob("*.json")
        .__next__()
        .read_text("utf-8")
    )
    jsonschema.validate(json.loads(path.read_text("utf-8")), schema)


READERS = {
    ".xml": by_mujoco,
    ".urdf": by_mujoco,
    ".glb": by_trimesh,
    ".obj": by_trimesh,
    ".ply": by_trimesh,
    ".stl": by_trimesh,
    ".dxf": by_ezdxf,
    ".fmu": by_fmpy,
    ".zip": by_zipfile,
    ".py": by_python,
    ".ipynb": by_nbformat,
    ".mech": by_json,
}


@pytest.mark.thinned(97)
@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
@pytest.mark.parametrize("ending", READERS)
def test_each_format_is_read_by_another_program(ending, path, tmp_path):
    target = tmp_path / f"{path.stem}{ending}"
    try:
        notes = ms.convert(path, target)
    except (ms.ExchangeError, ValueError) as error:
        reason = REASONS.get(ending)
        assert reason is not None, f"{ending}: {error}"
        assert re.search(reason, str(error)), f"{ending}: {error}"
        return
    assert all(note.endswith((".", "?")) for note in notes)
    READERS[ending](target, ms.load(path))
