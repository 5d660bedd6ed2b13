"""Formats of other programs, one row each: menus, dialogs, dropped files, `mechstudio convert` and
Python read this table (resources/help/add-an-exporter.md).
"""

from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape

import msgspec

from mechstudio.files import project_file
from mechstudio.files.durable import WriteFailed
from mechstudio.files.durable import write as write_file
from mechstudio.files.exchange.gltf_scene import gltf_bytes
from mechstudio.files.exchange.mesh_writing import obj_bytes, ply_bytes, stl_scene
from mechstudio.files.exchange.mjcf.reading import read_mjcf
from mechstudio.files.exchange.mjcf.writing import mjcf_text
from mechstudio.files.exchange.motion import Motion, Written
from mechstudio.files.exchange.outlines import dxf_bytes
from mechstudio.files.exchange.urdf.reading import read_urdf
from mechstudio.files.exchange.urdf.writing import urdf_text
from mechstudio.files.exchange.xml_text import ExchangeError
from mechstudio.files.project_file import ProjectFileError
from mechstudio.model.naming import quoted
from mechstudio.model.project import Project
from mechstudio.translation import Words, comma, tr

Notes = list[str]
Reader = Callable[[Path], tuple[Project, Notes]]
Writer = Callable[[Project, Motion | None], Written]

START, RUN = "start", "run"  # what of a motion a format holds


class ExchangeFormat(msgspec.Struct, frozen=True):
    """One format.

    key: for programs.  label: in menus.  suffixes: endings of its files, the usual one first.
    kind: of file, in dialogs.  reads(path) -> project and notes; writes(project, motion) -> the
    file and notes; None where that is not possible.  Both raise ExchangeError.  motion: START if
    it holds velocities, RUN if it shows a whole motion, "" for none.  cannot: content that it
    cannot hold.  words: search words of the palette.  group: its heading in a list.
    """

    key: str
    label: Words
    suffixes: tuple[str, ...]
    kind: Words
    reads: Reader | None = None
    writes: Writer | None = None
    motion: str = ""
    cannot: Words = ""
    words: Words = ""
    group: Words = "Geometry"


def _read_project(path: Path) -> tuple[Project, Notes]:
    loaded = project_file.load(path)
    return loaded.project, [f"{f.message} {f.cure}".strip() for f in loaded.findings]


def _project_text(project: Project, motion: Motion | None) -> Written:
    return Written(project_file.encode(project), [])


PROJECT = ExchangeFormat(
    "mech",
    "Mechanism",
    (project_file.SUFFIX,),
    "Mechanisms",
    _read_project,
    _project_text,
    group="Project",
)

FORMATS: dict[str, ExchangeFormat] = {
    "mjcf": ExchangeFormat(
        "mjcf",
        "MuJoCo (MJCF)",
        (".xml", ".mjcf"),
        "MuJoCo models",
        read_mjcf,
        mjcf_text,
        motion=START,
        cannot="Prescribed motion, laws of time, cams, curves, rolling wheels, knife edges, "
        "bushings and rebound; loops and couplings are soft.",
        words="mujoco mjcf xml robot simulator",
        group="Simulation",
    ),
    "urdf": ExchangeFormat(
        "urdf",
        "URDF",
        (".urdf",),
        "Robots in URDF",
        read_urdf,
        urdf_text,
        START,
        "Loops, springs, forces, prescribed motion, velocities and the drawn pose; bodies are a "
        "tree, and joints begin at zero.",
        words="urdf ros robot gazebo pybullet",
        group="Simulation",
    ),
    "gltf": ExchangeFormat(
        "gltf",
        "Moving picture in 3D (glTF)",
        (".glb",),
        "glTF scenes",
        writes=gltf_bytes,
        motion=RUN,
        cannot="Joints, forces and masses: it is a picture that moves.",
        words="gltf glb animation blender three.js web scene",
    ),
    "obj": ExchangeFormat(
        "obj",
        "Surfaces (OBJ)",
        (".obj",),
        "OBJ surfaces",
        writes=obj_bytes,
        cannot="Everything but surfaces and colours, as drawn.",
        words="obj wavefront mesh",
    ),
    "ply": ExchangeFormat(
        "ply",
        "Surfaces (PLY)",
        (".ply",),
        "PLY surfaces",
        writes=ply_bytes,
        cannot="Everything but surfaces and colours, as drawn.",
        words="ply mesh",
    ),
    "stl": ExchangeFormat(
        "stl",
        "Surfaces (STL)",
        (".stl",),
        "STL surfaces",
        writes=stl_scene,
        cannot="Everything but surfaces, as drawn.",
        words="stl print mesh",
    ),
    "dxf": ExchangeFormat(
        "dxf",
        "Outlines of parts (DXF)",
        (".dxf",),
        "DXF drawings for CAD",
        writes=dxf_bytes,
        cannot="Everything but the outlines of plates, bars, discs and boxes, side by side.",
        words="dxf outline laser cutting sheet cad",
    ),
}


def format_of(path: str | Path, writing: bool = False) -> ExchangeFormat:
    """The format of a file's ending.  Raises ExchangeError with the endings that there are."""
    suffix = Path(path).suffix.lower()
    rows = [
        row
        for row in (PROJECT, *FORMATS.values())
        if (row.writes if writing else row.reads) is not None
    ]
    for row in rows:
        if suffix in row.suffixes:
            return row
    known = comma().join(s for row in rows for s in row.suffixes)
    raise ExchangeError(
        tr(
            "{name} cannot be written: no format has this ending. There are {known}.",
            name=quoted(Path(path).name),
            known=known,
        )
        if writing
        else tr(
            "{name} cannot be read: no format has this ending. There are {known}.",
            name=quoted(Path(path).name),
            known=known,
        )
    )


def foreign_suffixes() -> set[str]:
    """Endings of files of other programs that can be read."""
    return {s for row in FORMATS.values() if row.reads is not None for s in row.suffixes}


def read(path: str | Path) -> tuple[Project, Notes]:
    """The project of a file and notes on its omitted content.  Raises ExchangeError."""
    row = format_of(path)
    assert row.reads is not None
    try:
        return row.reads(Path(path))
    except ProjectFileError as error:
        raise ExchangeError(str(error)) from None


def write(project: Project, path: str | Path, motion: Motion | None = None) -> Notes:
    """Write a project.  Returns notes on content that the file does not hold.  Raises
    ExchangeError, and the file is then as it was.
    """
    row = format_of(path, writing=True)
    assert row.writes is not None
    path = Path(path)
    try:
        made = row.writes(project, motion)
        write_file(str(path), laid_beside(made, path))
    except (ProjectFileError, WriteFailed) as error:
        raise ExchangeError(str(error)) from None
    return made.notes


def laid_beside(made: Written, path: Path) -> bytes:
    """Content of a file at a path, once the further files lie in a folder beside it, which is made.
    Raises ExchangeError.
    """
    if not made.beside:
        return made.content
    folder = path.with_name(f"{path.stem}_files")
    try:
        folder.mkdir(exist_ok=True)
        for name, data in made.beside.items():
            write_file(str(folder / name), data)
    except WriteFailed as error:
        raise ExchangeError(str(error)) from None
    except OSError as error:
        raise ExchangeError(
            tr(
                "{path} cannot be written: {reason}.",
                path=quoted(folder.name),
                reason=error.strerror or error,
            )
        ) from None
    return made.content.replace(b"{folder}", escape(folder.name).encode())
