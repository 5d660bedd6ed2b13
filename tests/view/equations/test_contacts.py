"""The chapter of contacts under real mouse: which contact, its numbers at the cursor, its glow both
ways, the curves of its solution.
"""

import numpy as np
import pytest
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.contact_display import SLIDING, STICKING
from mechstudio.application.questions.equations.derivations import ContactsOfInstant
from mechstudio.model import fields
from mechstudio.model.contact import ContactSample
from mechstudio.model.project import Camera
from mechstudio.view.equations.contacts import ABOVE, KEY, PLOT, Convergence
from mechstudio.view.idle_tasks import turns
from mechstudio.view.inspector.contacts.contact_table import DETAILS, LINE, ContactTable
from tests.view.equation_panel import ink, make_panel, settled  # noqa: F401
from tests.view.inspector.test_contacts import near, opened, recorded, row
from tests.view.standin import StandinSession

Qt = QtCore.Qt
STICKS, SLIDES = (0.0, 0.0, 5.0), (-1.5, -1.5, 4.2426)


def touches(time, *forces):
    """Contacts of the box with the ground at corners of its underside, with these forces; what
    slides is pushed against (1, 1, 0).
    """
    rows = [
        row((0.05 * (k % 2), 0.04 * (k // 2), 0.0), force, 0.35 if force is SLIDES else 0.0)
        for k, force in enumerate(forces)
    ]
    return ContactSample(
        time, np.array([(-1, 0)] * len(rows), "<i4").tobytes(), np.array(rows).tobytes()
    )


def contacts_chapter(panel, qtbot):
    """The chapter, typeset."""
    chapter = panel.chapters[0]
    qtbot.waitUntil(
        lambda: (
            chapter.ready is not None and chapter.ready.chapter == "contacts" and panel.is_settled
        ),
        timeout=60_000,
    )
    QtWidgets.QApplication.processEvents()
    return chapter


def with_contacts(make_panel, qtbot, *samples):
    panel = make_panel("box_on_incline", size=(760, 620))
    settled(panel, qtbot)
    studio = panel.studio
    studio.attach(StandinSession(studio.document))
    studio.questions.session.simulate()
    while studio.questions.session.is_running:
        studio.questions.session.recording.grow()
    recording = studio.questions.session.recording
    # slides by (1, 1, 0) while it stands in the files' closed form
    recording._all[:, recording.layout.velocities] = (0.25, 0.25, 0.0, 0.0, 0.0, 0.0)
    recording.contacts.clear()
    recording.contacts.extend(samples)
    studio.runs.playback.set_range(recording.end, recording.duration, True, 1 / 60)
    panel.bar.view.choose("contacts")
    return panel, contacts_chapter(panel, qtbot)


def turn_to(panel, key, qtbot):
    section = panel.chapters[0].sections[key]
    panel.area.ensureWidgetVisible(section.head, 0, 0)
    QTest.mouseClick(section.head, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(
        lambda: (
            panel.is_settled and (not section.has_formulas or section.formula.picture is not None)
        ),
        timeout=60_000,
    )
    QtWidgets.QApplication.processEvents()
    return section


def test_the_chapter_follows_the_cursor_and_the_chosen_contact(make_panel, qtbot):
    panel, chapter = with_contacts(
        make_panel, qtbot, touches(0.5, STICKS, STICKS), touches(2.0, SLIDES, STICKS)
    )
    turn_to(panel, "states", qtbot)
    section = turn_to(panel, "states:0", qtbot)
    assert (
        section.head.text() == "1  box on ground, point 1"
        and "Sticks: friction uses 0 %" in section.words.text()
    )
    before = section.formula.picture
    # an instant further on: the same widgets say what is true then
    panel.studio.runs.playback.seek(2.5)
    qtbot.waitUntil(
        lambda: (
            "Slides" in section.words.text()
            and panel.is_settled
            and section.formula.picture is not before
        ),
        timeout=60_000,
    )
    assert (
        chapter.sections["states:0"] is section
        and "1 stick, 1 slide" in chapter.sections["states"].words.text()
    )
    # another contact, from the list
    turn_to(panel, "gap", qtbot)
    panel.contact_chapter.choice.choose("touch:ground:box:1")
    qtbot.waitUntil(
        lambda: (
            chapter.sections["gap:frame"].head.text() == "Contact 2: box on ground, point 2"
            and panel.is_settled
        ),
        timeout=60_000,
    )
    assert (
        panel.contact_chapter.choice.text() == "box on ground, point 2"
        and panel.studio.contact.chosen == "touch:ground:box:1"
    )


def test_numbers_and_contacts_glow_both_ways(make_panel, qtbot):
    panel, _ = with_contacts(make_panel, qtbot, touches(0.5, STICKS, STICKS))
    turn_to(panel, "problem", qtbot)
    section = turn_to(panel, "problem:0", qtbot)
    panel.area.ensureWidgetVisible(section.formula, 0, 0)

    def pointed():
        # the part may still be coming into sight with the next layout
        seen = [
            b
            for b in section.formula.boxes("touch:ground:box:0")
            if section.formula.visibleRegion().contains(b.center().toPoint())
        ]
        if seen:
            QTest.mouseMove(section.formula, QtCore.QPoint(1, 1))
            QTest.mouseMove(section.formula, seen[0].center().toPoint())
        return panel.studio.selection.hovered == "touch:ground:box:0"

    qtbot.waitUntil(pointed)
    assert "box" in panel.studio.selection.lit
    QTest.mouseMove(section.formula, QtCore.QPoint(section.formula.width() - 2, 1))
    qtbot.waitUntil(lambda: panel.studio.selection.hovered == "")
    # the other way: the contact under the pointer elsewhere marks its numbers
    box = section.formula.boxes("touch:ground:box:0")[0]
    plain = ink(section.formula, box)
    panel.studio.selection.hover("touch:ground:box:0")
    QtWidgets.QApplication.processEvents()
    assert ink(section.formula, box) != plain and section.formula.marked == "touch:ground:box:0"
    panel.studio.selection.hover("")


@pytest.mark.slow
def test_three_curves_are_drawn_in_their_inks(make_panel, qtbot):
    panel, _ = with_contacts(make_panel, qtbot, touches(0.5, STICKS, SLIDES, STICKS, STICKS))
    turn_to(panel, "solution", qtbot)
    section = turn_to(panel, "solution:numbers", qtbot)
    assert "In the run:" in section.words.text() and "Gauss-Seidel" in section.words.text()
    plot = section.extra
    assert (
        isinstance(plot, Convergence)
        and section.part == PLOT
        and [key for key, _ in plot.contacts.curves] == ["apgd", "gauss_seidel", "jacobi"]
    )
    image = plot.grab().toImage()
    hues = [
        c
        for x in range(image.width())
        for y in range(image.height())
        if (c := image.pixelColor(x, y)).hsvSaturationF() > 0.25
    ]
    seen = lambda color: any(abs(c.hsvHue() - color.hsvHue()) < 8 for c in hues)
    assert (
        all(seen(QtGui.QColor(panel.theme.body(k))) for k in (0, 1, 3))
        and seen(panel.theme.color("ok"))
        and not seen(panel.theme.color("error"))
    )


def test_no_curve_crosses_the_legend(theme, qtbot):
    """Of curves that stay high to the end and of some that fall at once, the upper edge of the plot
    is the same.
    """
    plot = Convergence(theme)
    qtbot.addWidget(plot)
    for wide, lines in ((700, 1), (150, 3)):
        plot.resize(wide, plot.height())
        tops = []
        for level in (0.09, 1e-5):
            plot.show_curves(
                ContactsOfInstant(
                    (),
                    "",
                    tuple(
                        (key, (0.1, *[level] * 199, 1e-6))
                        for key in ("apgd", "gauss_seidel", "jacobi")
                    ),
                    1e-6,
                )
            )
            tops.append(plot.grab().toImage().copy(0, 0, wide, theme.dp(ABOVE + lines * KEY)))
        assert (
            tops[0] == tops[1]
            and len({tops[0].pixel(x, y) for x in range(wide) for y in range(tops[0].height())}) > 3
        )


def test_without_a_run_the_laws_stand_alone(make_panel, qtbot):
    panel = make_panel("box_on_incline", size=(760, 620))
    settled(panel, qtbot)
    panel.bar.view.choose("contacts")
    chapter = contacts_chapter(panel, qtbot)
    assert (
        "Run the mechanism" in chapter.words.text()
        and not panel.contact_chapter.line.isVisible()
        and "states" not in chapter.sections
    )
    section = turn_to(panel, "kkt", qtbot)
    assert section.formula.picture is not None


def test_a_contact_is_pointed_at_and_chosen_in_the_view_and_in_the_table(empty, qtbot):
    studio = opened(empty, "bouncing_ball", qtbot)
    empty.viewport.framing.camera = Camera((0.0, 0.0, 0.3), -90.0, 8.0, 2.9)
    places = [(-0.15, 0.0, 0.3), (0.15, 0.0, 0.3)]
    recorded(
        empty,
        [row(places[0], (0.0, 0.0, 4.0), 0.0), row(places[1], (-3.0, 0.0, 6.0), 0.25)],
        [(-1, 0), (-1, 1)],
        qtbot,
    )
    assert studio.contact.instant_contacts.state.tolist() == [STICKING, SLIDING]
    view = empty.viewport
    x, y = (round(float(v)) for v in view.framing.world_to_pixel(np.array([places[1]]))[0][:2])
    names = studio.contact.instant_contacts.names
    QTest.mouseMove(view, QtCore.QPoint(x, y))
    qtbot.waitUntil(lambda: studio.selection.hovered == names[1])
    assert near(empty, places[1], "accent", 12) and not near(empty, places[0], "accent", 12)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QtCore.QPoint(x, y))
    turns().finish()
    assert studio.contact.chosen == names[1] and studio.selection.selected == (fields.CONTACTS,)
    QTest.mouseMove(view, QtCore.QPoint(x + 60, y + 40))
    qtbot.waitUntil(lambda: studio.selection.hovered != names[1])
    # the table: the other one
    (table,) = empty.docks.inspector.parts(ContactTable)
    assert table.name_at(2.0) == names[1]
    QTest.mouseClick(
        table,
        Qt.MouseButton.LeftButton,
        pos=QtCore.QPoint(30, round(empty.theme.dp(LINE) * (DETAILS + 0.5))),
    )
    assert studio.contact.chosen == names[0]
    QTest.mouseMove(table, QtCore.QPoint(31, round(empty.theme.dp(LINE) * (DETAILS + 0.6))))
    qtbot.waitUntil(lambda: studio.selection.hovered == names[0])
    assert near(empty, places[0], "accent", 12)
    studio.contact.choose("")
    studio.selection.hover("")


def test_letters_under_the_pointer_say_what_they_are_among_contacts(make_panel, qtbot):
    panel, _ = with_contacts(make_panel, qtbot, touches(0.5, STICKS, SLIDES))
    lines = []
    for key in ("gap", "gap:frame", "states", "states:0"):
        section = turn_to(panel, key, qtbot)
        if section.has_formulas:
            formula = section.formula
            lines += [formula.explain(a.words, a.sources) for a in formula.picture.link_areas]
    for words in ("impulse of the contact", "gap of the surfaces", "residual of the laws"):
        assert any(words in line for line in lines), lines
    wrong = ("momentum [", "moment of a joint", "dynamic resultant", "centre of mass")
    assert not [line for line in lines if any(words in line for words in wrong)]
