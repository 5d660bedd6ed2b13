"""Every format of every sample, written and read back by another program than ours; what a format
refuses is refused in a sentence whose reason is listed here.
"""

import json
import re
import shutil
import subprocess
import zipfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

import mechstudio as ms
from mechstudio.files.films.timing import FilmShape
from mechstudio.files.films.writing import FilmWriter
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.films import FILM_BY_ID
from mechstudio.processes import environment, module_command

SAMPLES = sorted((Path(__file__).parents[3] / "samples").glob("*.mech"))
# words of the sentences by which a format may refuse a sample; others take them all
TOO_LONG = "terms|longer than anybody reads"  # closed forms too long to read
UNSIMULATED = "contacts|the stops of joint|which sticks"
REASONS = {
    **dict.fromkeys((".c", ".mml", ".tex", ".typ", ".txt", ".pdf"), TOO_LONG),
    **dict.fromkeys((".mo", ".ipynb"), f"{UNSIMULATED}|{TOO_LONG}"),
    ".fmu": f"{UNSIMULATED}|the curve of joint|terms",
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


def by_a_compiler(path: Path, project) -> None:
    gcc = shutil.which("gcc") or pytest.skip("no C compiler here: apt install gcc")
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    done = subprocess.run([gcc, *strict, str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def by_antlr(path: Path, project) -> None:
    """By the grammar of Modelica in ANTLR, which modelica-builder brings."""
    pytest.importorskip("modelica_builder")
    from antlr4 import CommonTokenStream, InputStream
    from antlr4.atn.PredictionMode import PredictionMode
    from modelica_builder.modelica_parser.modelicaLexer import modelicaLexer
    from modelica_builder.modelica_parser.modelicaParser import modelicaParser

    text = path.read_text("utf-8")
    parser = modelicaParser(CommonTokenStream(modelicaLexer(InputStream(text))))
    # a text that is taken by less context is taken by more, which needs minutes for long models
    parser._interp.predictionMode = PredictionMode.SLL
    parser.buildParseTrees = False
    parser.stored_definition()
    assert parser.getNumberOfSyntaxErrors() == 0


def by_lxml(path: Path, project) -> None:
    etree = pytest.importorskip("lxml.etree")
    assert len(etree.parse(str(path)).getroot())


def by_lxml_html(path: Path, project) -> None:
    html = pytest.importorskip("lxml.html")
    root = html.fromstring(path.read_bytes())
    assert root.findtext(".//title") and list(root.iter("figure", "img", "svg", "canvas"))
    outside = re.compile(r"^(https?:)?//")
    assert not [e for e in root.iter() if outside.match(e.get("src") or "")]


def by_typst(path: Path, project) -> None:
    typst = pytest.importorskip("typst")
    assert typst.compile(str(path)).startswith(b"%PDF")


def by_utf8(path: Path, project) -> None:
    assert "\ufffd" not in path.read_text("utf-8") and path.stat().st_size > 50


def by_braces(path: Path, project) -> None:
    """No TeX is installed by pip: its environments, and its braces, must close."""
    text = re.sub(r"\\[\\{}]|(?<!\\)%.*", "", path.read_text("utf-8"))
    assert text.count("{") == text.count("}")
    stack = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+\*?)\}", text):
        if kind == "begin":
            stack.append(name)
        else:
            assert stack.pop() == name
    assert not stack


def by_pypdf(path: Path, project) -> None:
    pypdf = pytest.importorskip("pypdf")
    pages = pypdf.PdfReader(str(path), strict=True).pages
    assert len(pages) >= 1 and all(page.mediabox.width > 100 for page in pages)


def by_svgelements(path: Path, project) -> None:
    svgelements = pytest.importorskip("svgelements")
    assert any(
        isinstance(e, svgelements.Shape) for e in svgelements.SVG.parse(str(path)).elements()
    )


def by_pillow(path: Path, project) -> None:
    Image = pytest.importorskip("PIL.Image")
    with Image.open(path) as image:
        assert image.size == SIZE
        for k in range(getattr(image, "n_frames", 1)):
            image.seek(k)
            image.load()


def by_ffmpeg(path: Path, project) -> None:
    """Decoded by the encoder's package, whose ffmpeg tells each frame."""
    imageio_ffmpeg = pytest.importorskip("imageio_ffmpeg")
    frames, _ = imageio_ffmpeg.count_frames_and_secs(str(path))
    head = next(imageio_ffmpeg.read_frames(str(path)))
    assert frames >= 2 and head["size"] == SIZE


SIZE = (160, 90)
FPS = 10.0
FRAMES = 3  # of a film of a run that is too short for them, in slow motion
READERS = {
    ".c": by_a_compiler,
    ".mo": by_antlr,
    ".mml": by_lxml,
    ".typ": by_typst,
    ".tex": by_braces,
    ".txt": by_utf8,
    ".pdf": by_pypdf,
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
    # those that move need no long motion
    project = shortened(ms.load(path))
    target = tmp_path / f"{path.stem}{ending}"
    try:
        notes = ms.convert(project, target)
    except (ms.ExchangeError, ValueError) as error:
        reason = REASONS.get(ending)
        assert reason is not None, f"{ending}: {error}"
        assert re.search(reason, str(error)), f"{ending}: {error}"
        return
    assert all(note.endswith((".", "?")) for note in notes)
    READERS[ending](target, project)


def shortened(project):
    """The project with a run of half a second at most."""
    settings, longest = project.settings, Quantity(0.5)
    if settings.duration.value <= longest.value:
        return project
    return replace(project, settings=replace(settings, duration=longest))


@pytest.fixture(scope="session")
def filmed(tmp_path_factory):
    """Frames of a film of each sample, as GIF by the public call; each is drawn once and kept for
    the other formats.
    """
    folder = tmp_path_factory.mktemp("films")

    def gif(path: Path, project) -> Path:
        target = folder / f"{path.stem}.gif"
        if not target.exists():
            result = ms.simulate(project, min(project.settings.duration.value, 0.2))
            last = float(result.time[-1])
            speed = min(1.0, last * FPS / FRAMES)
            result.film(target, first=0.0, last=last, fps=FPS, speed=speed, size=SIZE)
        return target

    return gif


def encoded(drawn: Path, target: Path) -> None:
    """Write the frames of a GIF in another format, by the encoder that the film sheet uses."""
    Image = pytest.importorskip("PIL.Image")
    kind = FILM_BY_ID[target.suffix.lstrip(".")]
    shape = FilmShape(SIZE, Fraction(FPS), True, False)
    writer = FilmWriter(
        target if kind.suffix else target.with_suffix(""),
        kind,
        shape,
        module_command("mechstudio.files.films.encoder"),
        environment(),
    )
    with Image.open(drawn) as film:
        for k in range(film.n_frames):
            film.seek(k)
            writer.add(np.asarray(film.convert("RGBA")))
    writer.finish()


def pixels(path: Path, count: int) -> list[np.ndarray]:
    Image = pytest.importorskip("PIL.Image")
    with Image.open(path) as film:
        assert film.n_frames == count
        out = []
        for k in range(count):
            film.seek(k)
            out.append(np.asarray(film.convert("RGB")).astype(int))
    return out


def frames_alike(path: Path, drawn: Path) -> None:
    """The same frames as those that were drawn: WebP within what it loses, APNG to the bit."""
    Image = pytest.importorskip("PIL.Image")
    with Image.open(drawn) as film:
        count = film.n_frames
    assert count >= 2
    given, found = pixels(drawn, count), pixels(path, count)
    away = max(np.abs(a - b).mean() for a, b in zip(given, found))
    assert away <= (8.0 if path.suffix == ".webp" else 0.0)


def folder_alike(path: Path, drawn: Path) -> None:
    """A folder of pictures that are the frames to the bit."""
    Image = pytest.importorskip("PIL.Image")
    files = sorted(path.with_suffix("").glob("*.png"))
    given = pixels(drawn, len(files))
    assert all(np.array_equal(np.asarray(Image.open(f)), a) for f, a in zip(files, given))


WRITERS = {
    "report.pdf": (lambda p, to: ms.export_equations(p, to, "report-pdf"), by_pypdf),
    "report.html": (lambda p, to: ms.export_equations(p, to, "report-html"), by_lxml_html),
    "diagram.svg": (ms.diagram, by_svgelements),
    "diagram.pdf": (ms.diagram, by_pypdf),
    "drawing.pdf": (ms.drawing, by_pypdf),
    "drawing.svg": (ms.drawing, by_svgelements),
    "picture.png": (lambda p, to: ms.picture(p, to, size=SIZE), by_pillow),
}
FILMS = {
    "film.gif": by_pillow,
    "film.apng": frames_alike,
    "film.webp": frames_alike,
    "film.png": folder_alike,
    "film.mp4": by_ffmpeg,
    "film.webm": by_ffmpeg,
}
# what has no front view or moves by no run
NOTHING_TO_DRAW = "nothing to draw|nothing is visible|shorter|one instant"


@pytest.mark.thinned(97)
@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.filterwarnings("ignore")
def test_each_page_and_picture_is_read_by_another_program(name, path, tmp_path):
    write, read = WRITERS[name]
    project, target = ms.load(path), tmp_path / name
    try:
        write(project, target)
    except (ValueError, RuntimeError) as error:
        assert re.search(NOTHING_TO_DRAW, str(error)), str(error)
        return
    read(target, project)


@pytest.mark.thinned(97)
@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
@pytest.mark.parametrize("name", FILMS)
@pytest.mark.filterwarnings("ignore")
def test_each_film_is_read_by_another_program(name, path, filmed, tmp_path):
    read, target = FILMS[name], tmp_path / name
    if read is by_ffmpeg:
        pytest.importorskip("imageio_ffmpeg")
    drawn = filmed(path, ms.load(path))
    if name == "film.gif":
        by_pillow(drawn, None)
        return
    encoded(drawn, target)
    read(target, drawn)
