"""The start page, by mouse and keys: samples are found, move under the pointer, and open as running
copies.
"""

import importlib.util
from pathlib import Path

import pytest
from PIL import Image
from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtTest import QTest

from mechstudio.application.files import gallery
from mechstudio.files.journal import write_journal
from mechstudio.files.project_file import load, save
from mechstudio.model.types.lessons import LEVELS, TOPICS
from mechstudio.view.actions.file import start_page
from mechstudio.view.start.gallery import Gallery, broken, corner, summary
from mechstudio.view.widgets.widgets import Elided
from tests.application.files.test_journal import as_if_killed
from tests.view.conftest import settle

Qt = QtCore.Qt
ROOT = Path(__file__).parents[3]


@pytest.fixture
def page(empty, qapp):
    window = empty
    QTest.keyClick(
        window.viewport,
        Qt.Key.Key_O,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    settle(qapp)
    assert window.start is not None and window.start.isVisible()
    return window.start


def titles(page):
    return [sample.title for sample in page.gallery.cards.shown]


def centre(page, row):
    return page.gallery.visualRect(page.gallery.cards.index(row)).center()


# that stand on a floor which fills the picture
FLOORS = {"knife_edge_sleigh"}


def click(page, row):
    QTest.mouseClick(page.gallery.viewport(), Qt.MouseButton.LeftButton, pos=centre(page, row))


def test_every_sample_has_a_topic_a_level_and_a_picture_of_itself():
    spec = importlib.util.spec_from_file_location(
        "make_thumbnails", ROOT / "packaging" / "make_thumbnails.py"
    )
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    samples, known = gallery.samples(), made.index()
    assert len(samples) >= 60
    for sample in samples:
        assert sample.topic in TOPICS and sample.level in LEVELS and sample.summary
        assert sample.picture is not None and 3_000 < sample.picture.stat().st_size < 120_000
        assert known[sample.path.stem] == made.made_of(sample.path), (
            "run: python packaging/make_thumbnails.py"
        )
        with Image.open(sample.picture) as picture:
            cut = made.is_cut(picture.convert("RGBA"))
        assert not cut or sample.path.stem in FLOORS, sample.path.stem


def test_words_find_samples_by_lesson_topic_and_joint():
    known = gallery.samples()
    named = lambda *what, **more: {s.path.stem for s in gallery.chosen(known, *what, **more)}
    assert named("grashof") >= {"four_bar", "drag_link"}
    assert named("WILLIS carrier") == {"planetary_gear"}
    assert "double_wishbone" in named("universal")
    assert named("", topic="lines", level=1) == {"hoeken_line", "scott_russell"}
    assert named("no such word") == set()


def test_a_level_of_another_program_is_shown_as_its_number():
    assert [gallery.level_word(k) for k in (0, 1, 3, 99)] == ["", "Easy", "Hard", "Level 99"]


def test_typed_words_topics_and_levels_narrow_the_gallery(page, qapp):
    everything = len(titles(page))
    QTest.keyClicks(page.search, "straight")
    found = titles(page)
    assert "Watt's straight line" in found and len(found) < everything
    QTest.mouseClick(page.topics["lines"], Qt.MouseButton.LeftButton)
    assert len(titles(page)) == 5
    QTest.mouseClick(page.levels.button("1"), Qt.MouseButton.LeftButton)
    assert titles(page) == ["Hoeken's straight line", "Scott Russell's straight line"]
    QTest.keyClicks(page.search, "zzz")
    assert titles(page) == [] and not page.gallery.isVisible()
    labels = [w.text() for w in page.findChildren(QtWidgets.QLabel) if w.isVisible()]
    assert any(text.startswith("No sample fits") for text in labels)


def test_a_picture_moves_under_the_pointer_and_a_click_opens_a_running_copy(page, qtbot, qapp):
    window = page.window()
    row = titles(page).index("Four-bar")
    viewport = page.gallery.viewport()
    page.gallery.scrollTo(page.gallery.cards.index(row))
    QTest.mouseMove(viewport, centre(page, row) - QtCore.QPoint(9, 0))
    QTest.mouseMove(viewport, centre(page, row))
    qtbot.waitUntil(lambda: page.gallery.moving.isValid() and page.gallery.moving.row() == row)
    first = page.gallery.frame.toImage()
    qtbot.waitUntil(lambda: page.gallery.frame.toImage() != first)
    before = viewport.grab(page.gallery.visualRect(page.gallery.cards.index(row))).toImage()
    at = page.gallery.progress
    qtbot.waitUntil(lambda: page.gallery.progress != at)
    after = viewport.grab(page.gallery.visualRect(page.gallery.cards.index(row))).toImage()
    assert before != after, "what is on the card moves"
    click(page, row)
    qtbot.waitUntil(lambda: window.studio.runs.playback.playing, timeout=20_000)
    document = window.studio.document
    assert document.project.lesson.title == "Four-bar" and document.path is None
    assert window.start is None


def test_keys_go_through_the_cards_and_enter_opens(page, qtbot, qapp):
    window = page.window()
    QTest.keyClicks(page.search, "hoeken's")
    QTest.keyClick(page.search, Qt.Key.Key_Down)
    qtbot.waitUntil(page.gallery.hasFocus)
    QTest.keyClick(page.gallery, Qt.Key.Key_Right)
    assert page.gallery.currentIndex().row() == min(1, len(titles(page)) - 1)
    QTest.keyClick(page.gallery, Qt.Key.Key_Left)
    QTest.keyClick(page.gallery, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.studio.document.project.lesson.title != "", timeout=20_000)
    assert window.studio.document.project.lesson.title == "Hoeken's straight line"


def test_escape_gives_the_empty_drawing_and_space_plays_nothing_behind(page, qapp):
    window = page.window()
    QTest.keyClicks(page.search, "a b")
    assert page.search.text() == "a b" and not window.studio.runs.playback.playing
    QTest.keyClick(page.search, Qt.Key.Key_Escape)
    settle(qapp)
    assert window.start is None and window.viewport.hasFocus()
    start_page(window)
    QTest.mouseClick(window.start.begin, Qt.MouseButton.LeftButton)
    assert window.start is None and not window.studio.document.has_bodies


def test_the_page_may_be_left_out_at_the_start(page):
    window = page.window()
    assert window.studio.preferences.stored.start_page
    QTest.mouseClick(page.at_start, Qt.MouseButton.LeftButton, pos=QtCore.QPoint(9, 9))
    assert not window.studio.preferences.stored.start_page


def test_recent_files_stand_with_their_day_and_open_at_a_click(
    empty, qapp, qtbot, tmp_path, monkeypatch
):
    loaded = load(ROOT / "samples" / "slider_crank.mech")
    path = tmp_path / "pump drive.mech"
    save(path, loaded.project, loaded.camera)
    window = empty
    monkeypatch.setattr(type(window.studio.preferences), "recent", property(lambda self: [path]))
    start_page(window)
    settle(qapp)
    from mechstudio.view.start.recent import RecentFile

    (line,) = window.start.findChildren(RecentFile)
    words = [w.text() for w in line.findChildren(QtWidgets.QWidget) if hasattr(w, "text")]
    assert "pump drive.mech" in words and "today" in words
    QTest.mouseClick(line, Qt.MouseButton.LeftButton)
    assert window.start is None
    qtbot.waitUntil(lambda: window.studio.document.path is not None)
    assert Path(window.studio.document.path) == path


def test_a_file_with_unsaved_work_of_a_killed_window_says_so(empty, qapp, tmp_path, monkeypatch):
    from mechstudio.view.start.recent import RecentFile

    window, paths = empty, [tmp_path / "saved.mech", tmp_path / "edited.mech"]
    for path in paths:
        save(path, load(ROOT / "samples" / "slider_crank.mech").project)
    journal = write_journal(str(paths[1]), load(ROOT / "samples" / "four_bar.mech").project, 3, "")
    as_if_killed(journal)
    monkeypatch.setattr(type(window.studio.preferences), "recent", property(lambda self: paths))
    start_page(window)
    settle(qapp)
    saved, edited = window.start.findChildren(RecentFile)
    words = [[w.text() for w in line.findChildren(Elided)] for line in (saved, edited)]
    assert words[0][-1] == "today" and words[1][-1] == "recovered, not saved"
    assert edited.accessibleDescription() == words[1][-1] and not saved.accessibleDescription()
    shown = edited.findChildren(Elided)[-1]
    assert shown.width() >= shown.sizeHint().width(), "nothing of it is cut"
    window.start.close_page()


@pytest.mark.parametrize(
    "modifier", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier]
)
def test_tab_goes_round_within_the_page(page, qapp, modifier):
    page.search.setFocus()
    met = []
    for _ in range(24):
        QTest.keyClick(qapp.focusWidget(), Qt.Key.Key_Tab, modifier)
        met.append(qapp.focusWidget())
        assert page.isAncestorOf(met[-1]), "what is covered takes no keys"
    requested = {page.begin, page.open, page.at_start, page.search, page.gallery, page.topics[""]}
    assert requested <= set(met) and page.levels.button("0") in met


def test_cards_of_a_low_window_keep_their_words_apart(page, qapp):
    window = page.window()
    before = window.size()
    try:
        window.resize(600, 400)
        settle(qapp)
        assert page.gallery.gridSize().width() >= 150
    finally:
        window.resize(before)
        settle(qapp)


def test_the_page_opens_whatever_the_disk_holds(empty, qapp, tmp_path, monkeypatch):
    """A nest too deep among the samples, no samples at all, recent files that are out of reach."""
    deep = tmp_path / "deep.mech"
    deep.write_text('{"bodies":' + "[" * 3000 + "]" * 3000 + "}")
    (tmp_path / "broken.mech").write_text("{")
    (tmp_path / "folder.mech").mkdir()
    window = empty
    recent = [Path("/nowhere/<b>&.mech"), Path("bad\0name.mech")]
    monkeypatch.setattr(type(window.studio.preferences), "recent", property(lambda self: recent))
    monkeypatch.setattr(gallery, "sample_folder", lambda: tmp_path)
    start_page(window)
    settle(qapp)
    assert titles(window.start) == []
    window.start.close_page()

    def missing():
        raise FileNotFoundError("Install mechstudio again.")

    monkeypatch.setattr(gallery, "sample_folder", missing)
    start_page(window)
    settle(qapp)
    labels = [w.text() for w in window.start.findChildren(QtWidgets.QLabel) if w.isVisible()]
    assert "Install mechstudio again." in labels
    window.start.close_page()


def test_a_page_that_goes_away_plays_nothing_more(page):
    gallery = page.gallery
    gallery._move(gallery.cards.index(0))
    assert gallery.frame is not None
    page.close_page()
    # news of another card come while the page is being taken apart
    gallery._move(gallery.cards.index(1))
    assert gallery.frame is None


def sample(**more):
    requests = {
        "questions": ("a < b?", "why?"),
        "topic": next(iter(TOPICS)),
        "level": 2,
        "steps": 0,
    }
    texts = {"title": "Press", "summary": "It presses.", "text": "It <presses>. Twice."}
    return gallery.Sample(Path("p.mech"), searched="", picture=None, **texts, **(requests | more))


@pytest.fixture
def cards(theme, qapp):
    """cards(*samples, size): a gallery by itself, laid out without a screen."""
    made = []

    def make(*samples, size):
        found = Gallery(theme, True)
        made.append(found)
        found.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        found.show_samples(samples)
        found.resize(*size)
        found.show()
        settle(qapp)
        return found

    yield make
    for found in made:
        found.close()
        found.deleteLater()


def test_words_of_a_card_are_those_of_its_sample(cards):
    word = next(iter(TOPICS.values()))
    assert corner(sample()) == word and corner(sample(topic="luck")) == ""
    assert [corner(sample(steps=n)) for n in (1, 3)] == ["Lesson, 1 step", "Lesson, 3 steps"]
    tip = "<p>It &lt;presses&gt;. Twice.</p><ul><li>a &lt; b?</li><li>why?</li></ul>"
    assert summary(sample()) == tip
    found = cards(sample(), sample(level=0, topic=""), size=(700, 500)).cards
    role = Qt.ItemDataRole
    roles = (role.DisplayRole, role.AccessibleTextRole, role.AccessibleDescriptionRole)
    first, second = ([found.data(found.index(k), r) for r in roles] for k in (0, 1))
    assert first == ["Press", f"Press, {word}, Medium", "It <presses>. Twice."]
    assert second[1] == "Press" and found.data(found.index(0), role.ToolTipRole) == tip
    assert found.data(found.index(2), role.DisplayRole) is None
    assert found.rowCount() == 2 and found.rowCount(found.index(0)) == 0


def test_cards_fill_the_width_and_grow_narrower_in_a_low_window(cards, theme):
    """Cards of 286 with a gap of 14, pictures of 16:9 and 72 for words; narrower down to 150, and
    six beside each other at most, while a row is higher than the window.
    """
    for wide, high, columns in (
        (905, 600, 3),
        (751, 600, 2),  # less than two and a half
        (755, 600, 3),
        (200, 600, 1),
        (905, 100, 5),
        (905, 225, 4),
        (1500, 60, 6),
        (2600, 60, 9),
    ):
        found = cards(size=(100, 100))
        frame = found.size() - found.viewport().size()
        found.resize(QtCore.QSize(wide, high) + frame)
        width = (wide - 1) // columns
        assert found.viewport().size() == QtCore.QSize(wide, high)
        grid = QtCore.QSize(width, round((width - 14) * 9 / 16) + 87 + 14)
        assert found.gridSize() == grid, (wide, high)


def test_a_card_has_as_many_dots_as_its_level_and_a_line_for_its_motion(
    cards, theme, qapp, monkeypatch
):
    found = cards(*(sample(level=k) for k in (1, 2, 3)), size=(1000, 400))
    monkeypatch.setattr(Gallery, "progress", property(lambda self: 0.25))
    found._move(found.cards.index(1))
    image = found.viewport().grab().toImage()
    color = lambda x, y: image.pixelColor(int(x), int(y)).name()
    ink, plain = theme.color("text2").name(), theme.color("raised").name()
    accent = theme.color("accent").name()
    for row, level in enumerate((1, 2, 3)):
        card = QtCore.QRectF(found.visualRect(found.cards.index(row)))
        left, wide = card.left() + 1, card.width() - 14 - 2
        bottom = card.top() + 1 + wide * 9 / 16
        y = bottom + 66 + 0.5 * QtGui.QFontMetricsF(found.font()).height()
        dots = [color(left + 11 + 3.2 + 9.5 * k, y) for k in range(4)]
        assert dots[:3] == [ink] * level + [plain] * (3 - level)
        line = [color(left + share * wide, bottom - 1) == accent for share in (0.2, 0.3)]
        assert line == [row == 1, False]


def test_a_summary_stands_in_two_lines(window):
    font = window.font()
    text = "Six links, seven pins, and two of the links have three of them each"
    one, two = broken(text, font, 200.0)
    metrics = QtGui.QFontMetricsF(font)
    assert f"{one} {two}" == text and two
    assert metrics.horizontalAdvance(one) <= 200.0
    assert metrics.horizontalAdvance(f"{one} {two.split()[0]}") > 200.0
    assert broken(text, font, 2000.0) == (text, "")
