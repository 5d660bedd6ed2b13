"""Answers of both processes to every request about a four-bar, served in this one: what goes
through the pipe in words and figures.
"""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.model.equations.lecture import CHAPTER_TITLES, CONTACTS
from mechstudio.model.quantity import Quantity
from mechstudio.model.types.analyses import Options
from mechstudio.protocol import derivation_messages as requested
from mechstudio.protocol import solver_messages
from mechstudio.protocol.sample_ring import Ring
from mechstudio.worker.derivation_process import Deriver
from mechstudio.worker.engine_solver import EngineSolver
from mechstudio.worker.solver_process import Worker
from tests.approved.figures import USUAL

SAMPLES = Path(__file__).parents[2] / "samples"
PROJECT = ms.load(SAMPLES / "four_bar.mech")
COLORS = {"text": "#101010", "mute": "#808080"}
# items of a list, letters of a text and levels that are written out
MOST, LONG, DEEP = 6, 160, 4
PACKED = ("png", "content")  # bytes that are no numbers
# reports that come by the clock
TIMED = (requested.Working, solver_messages.Alive, solver_messages.Assembling)


def lines(value: Any, name: str, depth: int = 0) -> Iterator[str]:
    """Lines of a value: structs by their fields, lists by their first items."""
    begin = "  " * depth + name
    if depth > DEEP and isinstance(value, msgspec.Struct | dict):
        yield f"{begin}: {type(value).__name__}"
    elif isinstance(value, msgspec.Struct):
        yield f"{begin}: {type(value).__name__}"
        for field in value.__struct_fields__:
            yield from lines(getattr(value, field), field, depth + 1)
    elif isinstance(value, dict):
        yield f"{begin}: {len(value)}"
        for key, inner in list(value.items())[:MOST]:
            yield from lines(inner, str(key), depth + 1)
    elif isinstance(value, tuple | list):
        if value and all(isinstance(v, float) for v in value):
            yield f"{begin}: {USUAL.together(value)}"
            return
        yield f"{begin}: {len(value)}"
        for k, inner in enumerate(value[:MOST]):
            yield from lines(inner, str(k), depth + 1)
    elif isinstance(value, bytes):
        yield f"{begin}: {bool(value) if name in PACKED else numbers(value)}"
    elif isinstance(value, float):
        yield f"{begin}: {USUAL.together([value])}"
    else:
        yield f"{begin}: {str(value)[:LONG]!r}"


def numbers(data: bytes) -> str:
    """Bytes as the sum of the sizes of the doubles that they are, or by their number."""
    if len(data) % 8:
        return f"{len(data)} bytes"
    values = np.frombuffer(data, "<f8")
    return f"{len(values)} {USUAL.together([np.nansum(np.abs(values))])}"


def answered(pipe: io.BytesIO) -> list[str]:
    """Lines of all reports in a pipe."""
    pipe.seek(0)
    found: list[str] = []
    while (report := solver_messages.read_report(pipe)) is not None:
        if not isinstance(report, TIMED):
            found += lines(report, "*")
    return found


def test_questions_about_equations_are_answered_as_approved(approved):
    run = ms.simulate(PROJECT, duration=0.2, sample_step=0.1)
    poses = np.ascontiguousarray(run.poses).tobytes()
    derive = requested.Derive(1, PROJECT, "lagrange")
    requests = [
        requested.Teach(2, "lagrange"),
        derive,
        *(requested.Teach(3, key) for key in CHAPTER_TITLES if key != CONTACTS),
        requested.Teach(4, "partition", ("q1",)),
        *(requested.Write(5, "lagrange", format) for format in ("latex", "text", "typst")),
        requested.Write(6, "nothing", "text"),
        requested.Evaluate(7),
        requested.Evaluate(8, run.rows[-1].tobytes()),
        requested.Evaluate(9, run.rows[-1][:5].tobytes()),
        requested.Prove(10, ("M = 1",)),
        *(requested.Typeset(11, part, COLORS, 11.0, 2.0) for part in ("M", "C", "parameters")),
        requested.Verdict(12, PROJECT),
        requested.Search(13, PROJECT),
        requested.TracePoints(14, PROJECT, (("coupler", (0.1, 0.0, 0.0)),)),
        requested.FindInterference(15, PROJECT, run.time.tobytes(), poses),
        requested.FindSteps(16, PROJECT, 0.0, 0.05),
        requested.Measure(17, PROJECT, "reactions", Options(duration=0.2, sample_step=0.1)),
        requested.Measure(18, PROJECT, "relative", Options()),
        requested.Size(19, PROJECT, "counterweights", {}),
        *(
            requested.Export(20, PROJECT, "lagrange", format)
            for format in ("c", "text", "modelica")
        ),
    ]
    found: list[str] = []
    pipe = io.BytesIO()
    deriver = Deriver(io.BytesIO(), pipe, "", 0.0)
    for request in requests:
        deriver._serve(request)
        words = [f"# {type(request).__name__} {getattr(request, 'chapter', '')}".rstrip()]
        found += words + answered(pipe)
        pipe.seek(0)
        pipe.truncate()
    approved.holds("answers_of_equations.txt", "\n".join(found) + "\n")


def test_questions_about_a_drawing_are_answered_as_approved(approved):
    requests = [
        solver_messages.Analyse(1, PROJECT),
        solver_messages.Pose(2, PROJECT, "A", 0, 1.0),
        solver_messages.Pose(3, PROJECT, "D", 0, 9.0),
        solver_messages.Pose(4, PROJECT, "nothing", 0, 9.0),
        solver_messages.Assemble(5, PROJECT),
        solver_messages.Assemble(6, PROJECT, ("coupler",)),
        solver_messages.Simulate(7, PROJECT, "no ring"),
    ]
    found: list[str] = []
    pipe = io.BytesIO()
    worker = Worker(EngineSolver(), io.BytesIO(), pipe)
    worker._solver.load()
    worker._prepared = True
    for request in requests:
        worker._handle(request)
        found += [f"# {type(request).__name__}", *answered(pipe)]
        pipe.seek(0)
        pipe.truncate()
    approved.holds("answers_of_drawings.txt", "\n".join(found) + "\n")


@pytest.mark.parametrize("name", ["four_bar", "box_on_incline"])
def test_a_run_comes_through_its_ring(name):
    project = ms.load(SAMPLES / f"{name}.mech")
    known = ms.simulate(project, duration=0.3, sample_step=0.1)
    settings = msgspec.structs.replace(
        project.settings, duration=Quantity(0.3), sample_step=Quantity(0.1)
    )
    pipe = io.BytesIO()
    worker = Worker(EngineSolver(), io.BytesIO(), pipe)
    worker._solver.load()
    worker._prepared = True
    ring = Ring.create(known.rows.shape[1])
    try:
        project = msgspec.structs.replace(project, settings=settings)
        worker._handle(solver_messages.Simulate(1, project, ring.name))
        assert np.array_equal(ring.read(), known.rows)
    finally:
        ring.close()
    pipe.seek(0)
    reports = []
    while (report := solver_messages.read_report(pipe)) is not None:
        reports.append(report)
    ended = reports[-1]
    assert isinstance(ended, solver_messages.Finished)
    assert (ended.id, ended.samples, ended.complete, ended.finding) == (1, 4, True, None)
    stages = [r.stage for r in reports if isinstance(r, solver_messages.Began)]
    assert stages == [solver_messages.ASSEMBLY, solver_messages.RUN]
    touched = [r for r in reports if isinstance(r, solver_messages.ContactsReported)]
    assert bool(touched) == project.mechanism.contacts.enabled
