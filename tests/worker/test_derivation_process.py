"""The process that derives and typesets: against real processes, and its parts alone."""

import io
import os
import subprocess
import sys
import time
from types import SimpleNamespace
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
from PySide6 import QtGui

from mechstudio.application.resources import resource, sample_folder
from mechstudio.files.project_file import load
from mechstudio.model.equations.lecture import Chapter, Equality, Step
from mechstudio.protocol.derivation_messages import (
    Copied,
    Derive,
    Derived,
    Typeset,
    TypesetPart,
    Working,
    Write,
    Written,
)
from mechstudio.protocol.process import WorkerProcess, derive_command, worker_command
from mechstudio.protocol.solver_messages import Analyse, Analysed, Failed
from mechstudio.worker import derivation_process, process_policy
from mechstudio.worker.derivation_process import requested
from mechstudio.worker.lecture_steps import beginning
from mechstudio.worker.typesetting import MARGIN, Typesetter, link_areas
from tests import mechanisms
from tests.symbolic.samples import SAMPLES, marked

COLORS = {
    "text": "#1A1D23",
    "mute": "#626976",
    "crank": "#B04D00",
    "coupler": "#0072B2",
    "rocker": "#007F5C",
}
SIZE, DENSITY, WIDTH = 14.0, 2.0, 480.0


def sample(name):
    return load(sample_folder() / f"{name}.mech").project


@pytest.fixture
def start(tmp_path):
    """start(*arguments): a deriving process; all are ended afterwards."""
    made = []

    def make(*arguments):
        made.append(
            WorkerProcess(
                [*derive_command(), "--fonts", str(resource("fonts")), *arguments], tmp_path
            )
        )
        return made[-1]

    yield make
    for process in made:
        process.close()


def next_of(process, kind, limit=30.0):
    """The next report of a kind; what comes before it is dropped, an error of the program fails the
    test.
    """
    end = time.monotonic() + limit
    while time.monotonic() < end:
        report = process.receive()
        assert not isinstance(report, Failed) or kind is Failed, report
        if isinstance(report, kind):
            return report
        assert report is not None or not process.has_ended, process.last_words()
        if report is None:
            time.sleep(0.002)
    raise AssertionError(f"no {kind.__name__} within {limit} s")


WARM = """
import sys
from mechstudio.application.resources import resource, sample_folder
from mechstudio.files.project_file import load
from mechstudio.worker.typesetting import Typesetter
from mechstudio.worker.warmup import warmed
project = load(sample_folder() / "four_bar.mech").project
typesetter = Typesetter(str(resource("fonts")))
for _ in warmed(typesetter):
    pass
before = set(sys.modules)
from mechstudio.model.equations.lecture import METHODS
from mechstudio.symbolic import derive; from mechstudio.symbolic.printers import latex
from mechstudio.symbolic.printers.typst import typst_equations as typeset
derivation = derive(project, coordinates="auto")
equations = derivation.terms()
found = typeset.markup(equations, "rows", {"text": "#000000", "mute": "#808080"})
typesetter.picture(found.source, found.links, "#000000", 14.0, 1.0, 400.0, found.words)
latex.printed(equations), derivation.proofs, [derivation.chapter(key) for key in METHODS]
print(sorted(set(sys.modules) - before))
"""


def test_libraries_of_equations_are_loaded_before_the_first_request():
    done = subprocess.run([sys.executable, "-c", WARM], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("command", [worker_command, derive_command])
def test_a_frozen_program_starts_its_processes(command, monkeypatch, tmp_path):
    # there is one executable: what stands behind it is what __main__ gets
    plain = command()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    program, *arguments = command()
    assert program == sys.executable and "-m" not in arguments and plain[-1] == arguments[-1]
    process = WorkerProcess([sys.executable, "-m", "mechstudio", *arguments], tmp_path)
    try:
        request, answer = (
            (Analyse, Analysed)
            if command is worker_command
            else (lambda id, project: Derive(id, project, "lagrange"), Derived)
        )
        process.send(request(1, sample("cart_pole")))
        assert next_of(process, answer).id == 1
    finally:
        process.close()


def ends_within(process, limit):
    end = time.monotonic() + limit
    while not process._ended.is_set() and time.monotonic() < end:
        time.sleep(0.005)
    return process._ended.is_set()


# the process


def test_equations_come_with_progress_and_latex(start):
    process = start()
    process.send(Derive(7, sample("four_bar"), "lagrange"))
    assert next_of(process, Working).id == 7
    done = next_of(process, Derived)
    assert done.id == 7 and done.finding is None
    assert done.equations.structure == "closed" and len(done.equations.coordinates) == 3
    # to be copied: once nothing else is to be done
    copied = next_of(process, Copied)
    assert copied.id == 7 and r"\ddot" in copied.latex and r"\begin{bmatrix}" in copied.parts["M"]
    assert {
        "structure",
        "rows",
        "coordinates",
        "M",
        "b",
        "g",
        "tau",
        "C",
        "C_q",
        "gamma",
        "parameters",
        "following",
    } == set(copied.parts)


def test_every_part_is_a_picture_with_its_terms_inside(start):
    process = start()
    process.send(Derive(1, sample("four_bar"), "lagrange"))
    parts = next_of(process, Copied).parts
    for k, part in enumerate(parts):
        process.send(Typeset(10 + k, part, COLORS, SIZE, DENSITY, WIDTH))
        picture = next_of(process, TypesetPart)
        assert (picture.id, picture.part) == (10 + k, part) and picture.png.startswith(b"\x89PNG")
        pixels = [int.from_bytes(picture.png[a : a + 4], "big") for a in (16, 20)]
        assert pixels == pytest.approx([DENSITY * s for s in picture.size], abs=1.5)
        for link_area in picture.link_areas:
            x, y, w, h = link_area.box
            # terms of the formulas of masses belong to no element, and are found by their words
            assert link_area.sources or (part == "following" and link_area.words)
            assert w > 0 and h > 0
            assert (
                x >= 0
                and x + w <= picture.size[0] + 0.5
                and y >= -MARGIN
                and y + h <= picture.size[1] + MARGIN
            ), (part, link_area)
    # the mass matrix knows whose terms are whose
    process.send(Typeset(90, "M", COLORS, SIZE, DENSITY, 2000.0))
    found = {s for link_area in next_of(process, TypesetPart).link_areas for s in link_area.sources}
    assert found == {"crank", "coupler", "rocker"}


def test_wide_blocks_stay_within_the_width(start):
    process = start()
    process.send(Derive(1, sample("four_bar"), "lagrange"))
    for part in ("M", "b", "gamma", "rows", "C"):
        process.send(Typeset(2, part, COLORS, SIZE, 1.0, WIDTH))
        assert next_of(process, TypesetPart).size[0] <= WIDTH + 1, part
        process.send(Typeset(3, part, COLORS, SIZE, 1.0, 3000.0))
        next_of(process, TypesetPart)


def test_a_chapter_that_was_not_laid_out_is_copied_as_nothing(start):
    process = start()
    process.send(Write(1, "newton_euler", "text"))  # before any equations
    assert next_of(process, Written) == Written(1, "", "text")
    process.send(Derive(2, sample("cart_pole"), "lagrange"))
    assert next_of(process, Derived).finding is None
    for part in ("newton_euler", "newton_euler/motion"):
        process.send(Write(3, part, "latex"))
        assert next_of(process, Written) == Written(3, "", "latex")


def test_missing_equations_give_a_finding(start):
    process = start()
    process.send(Derive(1, sample("four_bar"), "guessing"))
    done = next_of(process, Derived)
    assert done.equations is None and "guessing" in done.finding.message
    # and the process goes on
    process.send(Derive(2, sample("cart_pole"), "lagrange"))
    assert next_of(process, Derived).equations is not None


def test_a_closed_form_that_is_too_long_says_so_and_comes_by_intermediates(start):
    process = start()
    process.send(Derive(1, mechanisms.project(mechanisms.chain(10)), "lagrange"))
    done = next_of(process, Derived)
    assert done.equations.intermediates and "terms" in done.equations.notes[0]
    process.send(Typeset(2, "C", COLORS, SIZE, 1.0))  # not there: no picture, no error
    for k, part in enumerate(("structure", "M", "rows", "intermediates")):
        process.send(Typeset(3 + k, part, COLORS, SIZE, 1.0, width=500.0))
        assert next_of(process, TypesetPart).part == part


def test_letters_that_no_own_font_has(start):
    process = start()
    project = sample("cart_pole")
    bodies = {
        id: msgspec.structs.replace(b, name='曲柄 "a\\b#$')
        for id, b in project.mechanism.bodies.items()
    }
    parameters = {}
    mechanism = msgspec.structs.replace(project.mechanism, bodies=bodies)
    process.send(
        Derive(
            1,
            msgspec.structs.replace(project, mechanism=mechanism, parameters=parameters),
            "lagrange",
        )
    )
    next_of(process, Derived)
    for part in next_of(process, Copied).parts:
        process.send(Typeset(2, part, COLORS, SIZE, 1.0, WIDTH))
        next_of(process, TypesetPart)


@pytest.mark.parametrize("arguments", [(), ("--slow", "30")])
def test_derivation_process_ends_with_its_pipe(start, arguments):
    process = start(*arguments)
    process.send(Derive(1, sample("four_bar"), "lagrange"))
    next_of(process, Working)
    process._child.stdin.close()
    assert ends_within(process, 2.0)


# a minute and more for the longest equations
LONG = ("stewart_platform", "six_axis_arm", "walking_linkage")


@pytest.mark.thinned(5)
@pytest.mark.parametrize("path", marked(SAMPLES, LONG))
@pytest.mark.thinned(9)
def test_every_sample_has_pictures(path):
    """In this process: what the worker does, for every part, whole and listed."""
    from mechstudio.symbolic import derive
    from mechstudio.symbolic.printers.typst import typst_equations

    equations = derive(load(path).project).terms()
    typesetter = Typesetter(str(resource("fonts")))
    for part in typst_equations.parts(equations):
        for listed in (False, True):
            made = typst_equations.markup(equations, part, COLORS, listed)
            png, size, _ = typesetter.picture(
                made.source, made.links, COLORS["text"], SIZE, 1.0, WIDTH
            )
            assert png.startswith(b"\x89PNG") and min(size) > 5


# its parts


def test_a_term_in_brackets_belongs_to_its_own_body():
    """g (m_upper c + m_lower L1) cos θ: each mass lights its own body, the whole product both."""
    from mechstudio.symbolic import derive
    from mechstudio.symbolic.printers.typst import typst_equations

    made = typst_equations.markup(derive(sample("double_pendulum")).terms(), "g", COLORS)
    _, _, found = Typesetter().picture(made.source, made.links, COLORS["text"], SIZE, 1.0)
    whole = next(s for s in found if set(s.sources) == {"upper", "lower"})
    inner = [s for s in found if s.sources == ("upper",)]
    assert inner and all(
        whole.box[0] < s.box[0] and s.box[0] + s.box[2] < whole.box[0] + whole.box[2] for s in inner
    )


def test_matrices_side_by_side_and_under_each_other_are_whole_and_apart():
    """Contact frames: three rows, three rows, and six that go to a line of their own.  Nothing
    touches the edges of the picture, and between the lines a row is empty.
    """
    from mechstudio.model.equations.terms import Block, Entry, Name, Term
    from mechstudio.symbolic.printers.typst.typst_steps import markup

    matrix = lambda letter, rows, columns: Block(
        letter,
        letter,
        tuple((Entry((Term(1, 1, (Name("0.5952", "0.5952"),)),)),) * columns for _ in range(rows)),
        name=Name(letter, letter),
    )
    made = markup(
        Step(
            "a",
            "gap",
            "Frame",
            (),
            blocks=(matrix("R", 3, 3), matrix("p", 3, 1), matrix("D", 6, 3)),
        ),
        COLORS,
        lambda source: True,
    )
    png, _, _ = Typesetter().picture(made.source, made.links, COLORS["text"], SIZE, 2.0, 300.0)
    image = QtGui.QImage.fromData(png).convertToFormat(QtGui.QImage.Format.Format_ARGB32)
    inked = (
        np.frombuffer(image.constBits(), np.uint8)
        .reshape(image.height(), image.width(), 4)[:, :, 3]
        .any(axis=1)
    )
    first, last = int(inked.argmax()), len(inked) - 1 - int(inked[::-1].argmax())
    assert first > 0 and last < len(inked) - 1
    # between the second and the third matrix, not between rows of one: brackets span these
    assert not inked[first:last].all()


def test_a_minus_stands_at_its_number():
    """A number with a power of ten is set as text: the minus before it takes its own width and no
    blank, in a line as in a matrix.
    """
    from mechstudio.model.equations.terms import Block, Entry, Name, Term
    from mechstudio.symbolic.printers.typst.typst_steps import markup

    typesetter = Typesetter(str(resource("fonts")))
    for text in ("1.997", "4.32·10⁻⁹"):
        of = lambda sign, text=text: Entry((Term(sign, 1, (Name(text, text),), ("ball",)),))
        for step in (
            lambda e: Step("a", "gap", "", (), equations=(Equality(of(1), e, ""),)),
            lambda e: Step(
                "a", "gap", "", (), blocks=(Block("R", "R", ((e,),), name=Name("R", "R")),)
            ),
        ):
            # the right side of an equation takes what is left of the page
            plus, minus = (
                typesetter.width(
                    markup(step(of(sign)), COLORS, lambda source: True).source.replace(
                        "1fr", "auto"
                    ),
                    10.0,
                )
                for sign in (1, -1)
            )
            assert 7.0 < minus - plus < 8.5, text


class Pages:
    """In place of the typesetter: a source is as wide as a test says; keeps what it sets."""

    def __init__(self, wide):
        self.wide, self.measured, self.made = wide, 0, []

    def width(self, source, size):
        self.measured += 1
        return self.wide

    def picture(self, source, links, color, size, density, width=None, words=()):
        self.made.append((source, color, size, density, width))
        return b"", (1.0, 2.0), ()


@pytest.fixture(scope="module")
def derivation():
    from mechstudio.symbolic import derive

    return derive(sample("cart_pole"), coordinates="auto")


@pytest.fixture
def typesetting(derivation):
    """typesetting(request): a process in this one with the equations of the cart and pole; what it
    sends, and the pages that it sets.
    """

    def made(request, wide=0.0, equations=None, chapters=()):
        deriver = derivation_process.Deriver(io.BytesIO(), io.BytesIO(), "", 0.0)
        sent, pages = [], Pages(wide)
        deriver._window = SimpleNamespace(send=sent.append)
        deriver._derivation, deriver._typesetter = derivation, pages
        deriver._equations = derivation.terms() if equations is None else equations
        deriver._chapters = {chapter.key: chapter for chapter in chapters}
        deriver._serve(request)
        assert not any(isinstance(report, Failed) for report in sent), sent
        return sent, pages

    return made


def test_a_matrix_wider_than_the_page_is_listed_and_what_flows_is_broken(typesetting, derivation):
    """Of a matrix that has just the width nothing is broken, of a wider one its entries stand one
    below the other; rows and long parts are broken without a measurement.
    """
    from mechstudio.symbolic.printers.typst import typst_equations

    equations = derivation.terms()
    whole, listed = (
        typst_equations.markup(equations, "M", COLORS, listed=listed).source
        for listed in (False, True)
    )
    request = Typeset(5, "M", COLORS, SIZE, DENSITY, 300.0)
    for wide, source, width in ((299.9, whole, None), (300.0, whole, None), (300.1, listed, 300.0)):
        sent, pages = typesetting(request, wide)
        assert pages.made == [(source, COLORS["text"], SIZE, DENSITY, width)] and whole != listed
        assert sent == [TypesetPart(5, "M", b"", (1.0, 2.0), ())]
    for part, width in (("rows", 300.0), ("structure", 300.0), ("g", None)):
        _, pages = typesetting(Typeset(5, part, COLORS, SIZE, DENSITY, 300.0), 299.0)
        assert (pages.made[0][4], pages.measured) == (width, int(part == "g"))
    block = equations.block("M")
    entry = block.rows[0][0]
    for count, width in ((198, None), (200, 300.0)):  # with the two entries beside, four terms
        terms = msgspec.structs.replace(entry, terms=entry.terms * count)
        rows = ((terms, block.rows[0][1]), block.rows[1])
        blocks = (msgspec.structs.replace(block, rows=rows),)
        # with intermediates nothing is cut short
        longer = msgspec.structs.replace(
            equations, blocks=blocks, intermediates=derivation.readable.intermediates or (1,)
        )
        _, pages = typesetting(request, 299.0, longer)
        assert pages.made[0][4] == width, count


def test_of_many_lines_the_beginning_comes_first(typesetting, derivation):
    """Lines with 80 terms or less together, and then all; up to 200 terms all at once."""
    entry = derivation.terms().block("M").rows[0][0]  # two terms
    of = lambda count: msgspec.structs.replace(entry, terms=entry.terms * count)
    line = Equality(of(10), of(5), "")  # 30 terms
    steps = (
        Step("long", "gap", "Long", equations=(line,) * 7),
        Step("short", "gap", "Short", equations=(line,) * 6 + (Equality(of(5), of(5)),)),
        Step("one", "gap", "One", equations=(Equality(of(90), of(15)), line)),
        Step("whole", "gap", "Whole", equations=(Equality(of(90), of(15)),)),
    )
    assert [beginning(step) for step in steps] == [2, 0, 1, 0]
    chapter = Chapter("some", "Some", steps)
    for key, beginnings in (("long", [True, False]), ("short", [False])):
        sent, pages = typesetting(
            Typeset(6, f"some/{key}", COLORS, SIZE, DENSITY, 300.0), 300.0, chapters=(chapter,)
        )
        assert [report.beginning for report in sent] == beginnings
        assert [page[4] for page in pages.made] == [300.0] * len(beginnings)
        # the long one is of seven lines, two of which are its beginning
        counts = [page[0].count("m_") for page in pages.made]
        assert counts[0] * 7 == counts[-1] * (2 if len(beginnings) > 1 else 7)
    assert typesetting(Typeset(6, "some/none", COLORS, SIZE, 1.0), chapters=(chapter,))[0] == []
    assert typesetting(Typeset(6, "none/long", COLORS, SIZE, 1.0), chapters=(chapter,))[0] == []


def test_states_and_multipliers_of_an_instant_are_broken_into_lines(typesetting):
    for key, width in (("state", 300.0), ("M", None)):
        _, pages = typesetting(Typeset(7, f"now/{key}", COLORS, SIZE, DENSITY, 300.0))
        assert pages.made[0][1:] == (COLORS["text"], SIZE, DENSITY, width)


def test_a_later_request_makes_earlier_ones_needless():
    project = sample("cart_pole")
    old, new = Derive(1, project, "lagrange"), Derive(4, project, "lagrange")
    a, b, c = (
        Typeset(2, "M", {}, 1.0, 1.0),
        Typeset(3, "M", {}, 2.0, 1.0),
        Typeset(5, "M", {}, 2.0, 1.0),
    )
    g = Typeset(6, "g", {}, 2.0, 1.0)
    assert requested([a, b, g]) == [b, g]
    assert requested([old, a, b, new]) == [new]
    assert requested([old, new, c, g]) == [new, c, g]


def test_spots_are_the_hull_of_a_links_pieces():
    svg = """<svg xmlns="http://www.w3.org/2000/svg"><g transform="translate(10 20)">
      <a href="term:1" transform="translate(1 2)"><rect width="4" height="5"/></a>
      <g transform="matrix(1 0 0 1 3 0)"><a href="term:1" transform="translate(6 0)">
      <rect width="2" height="9"/></a></g>
      <a href="https://elsewhere"><rect width="1" height="1"/></a></g></svg>"""
    (link_area,) = link_areas(ElementTree.fromstring(svg), [("x",), ("a", "b")])
    assert link_area.sources == ("a", "b") and link_area.box == (11.0, 20.0, 10.0, 9.0)


def test_a_term_longer_than_a_line_makes_the_page_wider():
    typesetter = Typesetter(str(resource("fonts")))
    markup = '#let lk(n, x) = link(n, x)\n#box($lk(#"term:0", ' + " ".join(["x_1"] * 60) + ")$)"
    _, size, found = typesetter.picture(markup, [("a",)], "#000000", SIZE, 1.0, 300.0)
    assert size[0] > 600
    # with the margin on both sides
    assert (found[0].box[0], size[0] - found[0].box[0] - found[0].box[2]) == pytest.approx(
        (3.0, 3.0), abs=0.05
    )


def test_a_huge_picture_is_drawn_less_finely():
    typesetter = Typesetter()
    png, size, _ = typesetter.picture("#v(9000pt) x", [], "#000000", SIZE, 8.0, 3000.0)
    pixels = [int.from_bytes(png[a : a + 4], "big") for a in (16, 20)]
    assert size[1] > 9000 and pixels[0] * pixels[1] < 26_000_000


def ink_rows(png):
    """(first, last) row of a picture that is not empty."""
    image = QtGui.QImage.fromData(png, "PNG").convertToFormat(QtGui.QImage.Format.Format_Alpha8)
    rows = [y for y in range(image.height()) if any(bytes(image.constScanLine(y))[: image.width()])]
    return rows[0], rows[-1]


def test_dots_of_the_first_line_are_not_cut_off():
    """The double dot over a tall letter sticks out of its line: the picture must hold it whole."""
    typesetter = Typesetter(str(resource("fonts")))
    running = ink_rows(
        typesetter.picture("#box($dot.double(θ)^2 h$)", [], "#000000", SIZE, 4.0, 300.0)[0]
    )
    alone = ink_rows(typesetter.picture("$ dot.double(θ)^2 h $", [], "#000000", SIZE, 4.0)[0])
    assert running[0] >= 1 and running[1] - running[0] == pytest.approx(alone[1] - alone[0], abs=2)


def test_long_balances_are_paragraphs_and_short_ones_have_columns():
    """The part that is measured first is whole by itself: the inks of its terms are defined before
    they are used.
    """
    import mechstudio as ms
    from mechstudio.symbolic.printers.typst import typst_steps

    typesetter, colors = (
        Typesetter(str(resource("fonts"))),
        {**COLORS, "crank": "#AA3300", "rocker": "#00AA33"},
    )
    steps = {
        s.key: s
        for s in ms.derive(sample("four_bar"), coordinates="auto").chapter("newton-euler").steps
    }
    step, seen = steps["balances:rocker"], []
    for width in (300.0, 2000.0):
        fits = lambda source, width=width: typesetter.width(source, SIZE) <= width
        text = typst_steps.markup(step, colors, fits)
        seen.append("hanging-indent" in text.source)
        assert (
            typesetter.picture(text.source, text.links, "#000000", SIZE, 1.0, width, text.words)[1][
                1
            ]
            > 50
        )
    assert seen == [True, False]


def test_a_long_block_of_a_step_is_written_entry_by_entry():
    """Of the Stewart platform's rows the short entries are written out, the others say how long
    they are; a block that is not long is whole.
    """
    import mechstudio as ms
    from mechstudio.model.equations.term_lengths import term_count
    from mechstudio.symbolic.printers.typst import typst_steps

    block = ms.derive(sample("stewart_platform"), coordinates="auto").equations.block("gamma")
    assert block.term_count > typst_steps.LONGEST
    sizes = [term_count(e.terms) for row in block.rows for e in row if e.terms]
    source = typst_steps.markup(
        Step("gamma", "gamma", "", blocks=(block,)), COLORS, lambda source: False
    ).source
    cut = source.count(' terms")')
    assert (
        0 < cut <= len(sizes)
        and f'"{max(sizes)} terms"' in source
        and source.count("lk(#") < 2 * typst_steps.LONGEST
    )


def test_progress_is_reported_twenty_times_a_second(monkeypatch):
    clock, slept = iter((9.0, 9.04, 9.06, 9.1, 9.12)), []
    stopped = SimpleNamespace(monotonic=lambda: next(clock), sleep=slept.append)
    monkeypatch.setattr(derivation_process, "time", stopped)
    sent = []
    for slow in (0.0, 0.5):
        deriver = derivation_process.Deriver(io.BytesIO(), io.BytesIO(), "", slow)
        deriver._window = SimpleNamespace(send=sent.append)
        progress = deriver._progress(Derive(4, sample("cart_pole"), "lagrange"))
        for share in (0.1, 0.2, 0.3, 0.4) if not slow else (0.9,):
            progress(share, "step")
    assert [(w.id, w.progress, w.step) for w in sent] == [
        (4, 0.0, ""),
        (4, 0.1, "step"),
        (4, 0.3, "step"),
        (4, 0.0, ""),
        (4, 0.9, "step"),
    ]
    assert slept == [0.5]


def test_steps_are_slowed_only_where_that_is_requested(monkeypatch):
    begun = []

    class Served:
        def __init__(self, incoming, outgoing, fonts, slow):
            begun.append((fonts, slow))
            incoming.close()
            outgoing.close()

        def serve(self):
            pass

    monkeypatch.setattr(derivation_process, "Deriver", Served)
    monkeypatch.setattr(process_policy, "private_pipes", os.pipe)
    for name in ("ignore_interrupts", "be_expendable"):
        monkeypatch.setattr(process_policy, name, lambda: None)
    derivation_process.main([])
    derivation_process.main(["--fonts", "fonts", "--slow", "2.5"])
    assert begun == [("", 0.0), ("fonts", 2.5)]
