"""The study as it is set up: what varies, what is measured, where it runs."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from PySide6 import QtCore, QtWidgets

from mechstudio.application.actions.edits.sliders import Offer, offers
from mechstudio.application.document import Document
from mechstudio.application.notifications import Message
from mechstudio.application.studies import changes
from mechstudio.application.studies.shown_study import StudyShown
from mechstudio.application.studio import Studio
from mechstudio.model.formulas.decimal_comma import with_commas, with_points
from mechstudio.model.project import Project
from mechstudio.model.studies.setup import (
    BEST,
    DRAWS,
    FIT,
    POINTS,
    SEARCHES,
    SENSITIVITY,
    StudySetup,
    VariedParameter,
)
from mechstudio.model.units import format_value
from mechstudio.translation import tr
from mechstudio.view.panels.number_menu import add_numbers
from mechstudio.view.plots.chooser import Chooser
from mechstudio.view.study.correlations import Correlations
from mechstudio.view.study.fitting.data import DataLines
from mechstudio.view.study.measure_ticks import MeasureTicks
from mechstudio.view.study.measured_lines import measured_lines
from mechstudio.view.study.words import (
    FORM_WORDS,
    METHOD_WORDS,
    SEARCH_WORDS,
    planned,
    seconds,
)
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.fields.text_field import TextField
from mechstudio.view.widgets.widgets import (
    Elided,
    IconButton,
    Segment,
    label,
    row,
    throw_away,
    wrapped,
)

Qt = QtCore.Qt
_RANGE = re.compile(r"(?P<low>[^|(]+?)\.\.(?P<high>[^|]+?)(?::\s*(?P<count>\d+))?")
HERE, CLUSTER = "here", "cluster"


class SetupColumn(QtWidgets.QWidget):
    """Made again whenever the study is another; the keys stay with the field that has them.
    closed(): the page is to go.  remade(): the field that had the keys is gone.
    """

    closed = QtCore.Signal()
    remade = QtCore.Signal()

    def __init__(self, theme: Theme, studio: Studio, shown: StudyShown) -> None:
        super().__init__()
        self._theme, self._studio, self._shown = theme, studio, shown
        self._box = QtWidgets.QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._made: object = None
        self._place = HERE
        self.address = ""
        self.chooser: Chooser | None = None
        self._parts: list[QtWidgets.QWidget] = []
        self._box.addStretch(1)
        studio.document.changed.connect(self._changed)
        shown.rows_changed.connect(self._count)
        studio.preferences.changed.connect(lambda: self.refresh(True))

    @property
    def _project(self) -> Project:
        return self._studio.document.project

    def _changed(self, old: Project, new: Project) -> None:
        if old.studies != new.studies or old.parameters != new.parameters:
            self.refresh()
        elif old.mechanism is not new.mechanism:
            self.refresh(True)

    def refresh(self, anyway: bool = False) -> None:
        """Show the study as it is."""
        study, names = self._shown.setup, tuple(self._project.parameters)
        state = (study, names, tuple(s.name for s in self._project.studies), self._place)
        if state == self._made and not anyway:
            return
        self._made = state
        held = self._holder()
        # a field that its own change removes is deleted in a later turn of the event loop
        old, self._parts = self._parts, []
        for part in old:
            self._box.removeWidget(part)
            part.hide()
            QtCore.QTimer.singleShot(0, self, partial(throw_away, part))
        if study is not None:
            self._head(study)
            self._vary(study)
            self._data(study) if study.is_fit else self._measure(study)
            self._draws(study)
            self._where()
            self._run()
            self._count()
        if held is not None:
            self._hold(held)

    def _fields(self, part: QtWidgets.QWidget) -> list[QtWidgets.QWidget]:
        """Widgets of a section that can have the keys."""
        return [
            w
            for w in part.findChildren(QtWidgets.QWidget)
            if w.focusPolicy() != Qt.FocusPolicy.NoFocus and w.focusProxy() is None
        ]

    def _holder(self) -> tuple[int, int] | None:
        """Places of the section and of the field that have the keys; None where none has."""
        now = QtWidgets.QApplication.focusWidget()
        for k, part in enumerate(self._parts):
            if now is not None and part.isAncestorOf(now):
                fields = self._fields(part)
                return k, fields.index(now) if now in fields else -1
        return None

    def _hold(self, held: tuple[int, int]) -> None:
        """Give the keys to the field at a place, or to the page where there is none."""
        section, place = held
        fields = self._fields(self._parts[section]) if section < len(self._parts) else []
        if 0 <= place < len(fields):
            fields[place].setFocus()
        else:
            self.remade.emit()

    def _add(self, *parts: QtWidgets.QWidget) -> None:
        """Put lines below each other, with a line across below them."""
        frame = row(*parts, margins=(12, 9, 10, 9), gap=6, vertical=True)
        frame.setObjectName("studysection")
        self._parts.append(frame)
        self._box.insertWidget(self._box.count() - 1, frame)

    # sections

    def _head(self, study: StudySetup) -> None:
        more = IconButton(self._theme, "more", tr("More of studies"), 24, 16)
        more.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QtWidgets.QMenu(more)
        for each in self._project.studies:
            entry = menu.addAction(each.name.replace("&", "&&"))
            entry.setCheckable(True)
            entry.setChecked(each.id == study.id)
            entry.triggered.connect(partial(self._choose, each.id))
        menu.addSeparator()
        menu.addAction(tr("New study")).triggered.connect(lambda _=False: self.add())
        menu.addAction(tr("Delete this study")).triggered.connect(lambda _=False: self._delete())
        more.setMenu(menu)
        self.more = more
        shut = IconButton(
            self._theme, "close", tr("Close the study"), 24, 14, clicked=self.closed.emit
        )
        saved = Elided(tr("saved with the project"), "three", Qt.AlignmentFlag.AlignRight)
        head = row(label(tr("Study"), "title"), saved, more, shut, gap=4)
        head.box.setStretch(1, 1)
        name = TextField(self._theme, study.name, tr("Name of the study"))
        name.taken.connect(self._rename)
        self.name = name
        self._add(head, name)

    def _vary(self, study: StudySetup) -> None:
        plus = IconButton(self._theme, "plus", tr("Vary a parameter"), 24, 16)
        plus.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QtWidgets.QMenu(plus)
        menu.aboutToShow.connect(partial(self._offer_numbers, menu))
        plus.setMenu(menu)
        self.plus_vary = plus
        lines: list[QtWidgets.QWidget] = [row(label(tr("Vary"), "title"), None, plus)]
        self.varied: dict[str, list[TextField]] = {}
        if not study.vary:
            words = tr("Choose numbers of the drawing that take other values.")
            lines.append(wrapped(words, "three"))
        for v in study.vary:
            lines += self._varied(v)
        self._add(*lines)

    def _offer_numbers(self, menu: QtWidgets.QMenu) -> None:
        """Fill a menu with the parameters that are not varied yet, and the numbers of the drawing
        that have no name.
        """
        menu.clear()
        study, units = self._shown.setup, self._studio.preferences.units
        varied = {v.parameter for v in study.vary} if study is not None else set()
        for name, p in self._project.parameters.items():
            if name not in varied:
                words = f"{name}   {format_value(p.value.value, p.dimension, units)}"
                entry = menu.addAction(words)
                entry.triggered.connect(partial(self._vary_also, name, units))
        menu.addSeparator()
        add_numbers(menu, offers(self._project), self._vary_number)
        if menu.isEmpty():
            menu.addAction(tr("There is nothing to vary yet")).setEnabled(False)

    def _vary_number(self, offer: Offer) -> None:
        reason = changes.vary_number(*self._at, offer, self._studio.preferences.units)
        if reason:
            self._studio.notifications.say(Message("warning", reason, "parameter"))

    def _vary_also(self, name: str, units: str, _: bool = False) -> None:
        changes.vary(*self._at, name, units)

    def _varied(self, v: VariedParameter) -> list[QtWidgets.QWidget]:
        setup = self._shown.setup
        form = IconButton(self._theme, "down", tr("Other forms of values"), 22, 12)
        form.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QtWidgets.QMenu(form)
        p = self._project.parameters.get(v.parameter)
        for key, words in FORM_WORDS.items():
            if p is not None and (key != changes.TOLERANCE or p.dimension == "length"):
                menu.addAction(tr(words)).triggered.connect(
                    partial(lambda k, _=False: self._reform(v.parameter, k), key)
                )
        form.setMenu(menu)
        shut = IconButton(
            self._theme,
            "close",
            tr("Vary {name} no more", name=v.parameter),
            22,
            12,
            clicked=lambda: changes.leave(*self._at, v.parameter),
        )
        note = "" if p is None else p.note
        head = row(label(v.parameter, "title"), Elided(note, "three"), form, shut, gap=6)
        head.box.setStretch(1, 1)
        found = _RANGE.fullmatch(v.values)
        name = v.parameter
        made = lambda text, what, hint="": TextField(self._theme, with_commas(text), what, hint)
        if found is None:
            whole = made(v.values, tr("Values of {name}", name=name))
            whole.taken.connect(lambda text: self._set_values(name, with_points(text)))
            fields, line = [whole], row(whole)
        else:
            low = made(found["low"].strip(), tr("First value of {name}", name=name))
            high = made(found["high"].strip(), tr("Last value of {name}", name=name))
            count = made(found["count"] or "", tr("Number of values of {name}", name=name), "–")
            self._theme.fit(count, width=38)
            fields = [low, high, count]
            # a search or a fit goes anywhere between the ends
            bounds_only = setup is not None and setup.kind != POINTS

            def take(_: str) -> None:
                a, b, n = (with_points(f.edit.text().strip()) for f in fields)
                # a text with an operator of its own is kept as it is typed
                self._set_values(name, f"{a}..{b}:{n}" if n else f"{a}..{b}")

            for field in fields:
                field.taken.connect(take)
            points: list[QtWidgets.QWidget] = [label(tr("in"), "two"), count]
            line = row(low, label(tr("to"), "two"), high, *points, gap=6)
            for part in points:
                part.setVisible(not bounds_only)
            line.box.setStretch(0, 1)
            line.box.setStretch(2, 1)
        self.varied[name] = fields
        lines: list[QtWidgets.QWidget] = [head, line]
        if problem := changes.problem_of_values(self._project, name, v.values):
            lines.append(wrapped(problem, "wrong"))
        return lines

    def _data(self, study: StudySetup) -> None:
        self.data = DataLines(self._theme, self._studio, study, self, self.remade.emit)
        self._add(*self.data.lines)

    def _measure(self, study: StudySetup) -> None:
        plus = IconButton(
            self._theme, "plus", tr("Measure a quantity"), 24, 16, clicked=self.open_chooser
        )
        self.plus_measure = plus
        lines: list[QtWidgets.QWidget] = [row(label(tr("Measure"), "title"), None, plus)]
        if not study.measures:
            words = tr("Choose quantities, as in plots, that each run is judged by.")
            lines.append(wrapped(words, "three"))
        self.measures: list[dict[str, QtWidgets.QWidget]] = []
        for k, kept in enumerate(study.measures):
            more, parts = measured_lines(self._theme, self._shown, self._at, k, kept)
            lines += more
            self.measures.append(parts)
        self._add(*lines)

    def _draws(self, study: StudySetup) -> None:
        """Samples and method where something is drawn, and the runs themselves."""
        _, drawn, _ = changes.counted(self._project, study)
        change = lambda words, **new: changes.change(*self._at, words, **new)
        kinds = ((POINTS, tr("Values")), (BEST, tr("Search")), (FIT, tr("Fit")))
        way = Segment(self._theme, kinds, height=26)
        way.choose(study.kind)
        way.chosen.connect(lambda key: changes.choose_kind(*self._at, key))
        self.way = way
        lines: list[QtWidgets.QWidget] = [label(tr("Runs"), "title"), row(way, None)]
        number = tr("Number of samples")
        if study.kind != POINTS:
            lines += self._search(study, change)
        elif drawn or study.samples > 1 or study.method == SENSITIVITY:
            samples = TextField(self._theme, str(study.samples), number)
            samples.taken.connect(lambda text: self._whole(text, "samples", number, 1))
            method = Choice(
                self._theme,
                tr("Method"),
                lambda: [(m, tr(METHOD_WORDS[m]), "") for m in (*DRAWS, SENSITIVITY)],
                lambda: study.method,
                lambda m: change(tr("Method"), method=m),
            )
            self.samples, self.method = samples, method
            self._theme.fit(samples, width=72)
            lines.append(row(label(tr("Samples"), "two"), samples, None, gap=6))
            seed = TextField(self._theme, str(study.seed), tr("Seed"))
            seed.taken.connect(lambda text: self._whole(text, "seed", tr("Seed"), 0))
            self._theme.fit(seed, width=52)
            line = row(method, None, label(tr("Seed"), "two"), seed, gap=6)
            lines.append(line)
        self.correlations = Correlations(self._theme, self._studio.document, study)
        lines += self.correlations.lines
        of_data, settings = tr("as the data") if study.is_fit else "", self._project.settings
        usual = of_data or format_value(settings.duration.value, "time")
        duration = TextField(self._theme, with_commas(study.duration), tr("Duration"), usual)
        duration.taken.connect(lambda text: change(tr("Duration"), duration=with_points(text)))
        usual = of_data or format_value(settings.sample_step.value, "time", digits=4)
        step = TextField(self._theme, with_commas(study.sample_step), tr("Sample step"), usual)
        step.taken.connect(lambda text: change(tr("Sample step"), sample_step=with_points(text)))
        self.duration, self.sample_step = duration, step
        for words, field in ((tr("Duration"), duration), (tr("Sample step"), step)):
            lines.append(self._named(words, field))
        self._add(*lines)

    def _search(self, study: StudySetup, change: Callable[..., object]) -> list[QtWidgets.QWidget]:
        """Method of a search, its runs and its seed; of a fit its runs."""
        method = Choice(
            self._theme,
            tr("Method"),
            lambda: [(m, tr(SEARCH_WORDS[m]), "") for m in SEARCHES],
            lambda: study.method,
            lambda m: change(tr("Method"), method=m),
        )
        most, seed = tr("Runs at most"), tr("Seed")
        runs = TextField(self._theme, str(study.runs), most)
        runs.taken.connect(lambda text: self._whole(text, "runs", most, 1))
        draws = TextField(self._theme, str(study.seed), seed)
        draws.taken.connect(lambda text: self._whole(text, "seed", seed, 0))
        self.runs = runs
        if study.is_fit:
            return [self._named(most, runs)]
        self.method, self.seed = method, draws
        return [row(method), self._named(most, runs), self._named(seed, draws)]

    def _named(self, words: str, field: TextField) -> QtWidgets.QWidget:
        """A line with words and a short field."""
        self._theme.fit(field, width=84)
        line = row(Elided(words, "two"), field, gap=6)
        line.box.setStretch(0, 1)
        return line

    def _whole(self, text: str, attribute: str, words: str, least: int) -> None:
        number = int(text) if text.isdecimal() else least
        changes.change(*self._at, words, **{attribute: max(least, number)})

    def _where(self) -> None:
        places = Segment(
            self._theme, ((HERE, tr("This computer")), (CLUSTER, tr("Cluster"))), height=26
        )
        places.choose(self._place)
        places.chosen.connect(self._move)
        self.places = places
        lines: list[QtWidgets.QWidget] = [
            label(tr("Run on"), "title"),
            row(places, None),
        ]
        if self._place == CLUSTER:
            address = TextField(
                self._theme, self.address, tr("Address of the cluster"), "tcp://10.0.0.1:8786"
            )
            address.taken.connect(self._set_address)
            lines.append(address)
        self._add(*lines)

    def _run(self) -> None:
        self.count = wrapped("", "two")
        self.wrong = wrapped("", "wrong")
        self._add(self.count, self.wrong)

    def _count(self) -> None:
        """Tell how many runs there will be, and how long they take if that is known."""
        study = self._shown.setup
        if study is None or not self._parts:
            return
        runs, _, problem = changes.counted(self._project, study)
        self.wrong.setText(
            problem if study.vary and (study.data if study.is_fit else study.measures) else ""
        )
        self.wrong.setVisible(bool(self.wrong.text()))
        if problem:
            self.count.setText("" if self.wrong.text() else problem)
            return
        usual = format_value(self._project.settings.duration.value, "time")
        words = planned(study, runs, with_commas(study.duration) or usual)
        run = self._shown.run
        rate = run.rate if run is not None else 0.0
        if rate > 0:
            words = tr("{runs}, about {time}", runs=words, time=seconds(runs / rate))
        self.count.setText(words)

    # changes

    @property
    def _at(self) -> tuple[Document, str]:
        """Document and study that a change is of."""
        return self._studio.document, self._shown.id

    def add(self) -> None:
        """A new study, which is shown."""
        self._choose(changes.new_study(self._studio.document))

    def _choose(self, id: str, _: bool = False) -> None:
        self._shown.choose_study(id)
        self.refresh()

    def _delete(self) -> None:
        changes.delete(*self._at)
        studies = self._project.studies
        if not studies:
            self.closed.emit()
        else:
            self._choose(studies[-1].id)

    def _rename(self, text: str) -> None:
        if text:
            changes.change(*self._at, tr("Rename the study"), name=text)
        else:
            self.refresh(True)

    def _set_values(self, name: str, values: str) -> None:
        changes.set_values(*self._at, name, values)

    def _reform(self, name: str, form: str) -> None:
        units = self._studio.preferences.units
        self._set_values(name, changes.values_around(self._project, name, units, form))
        study = self._shown.setup
        drawn = form in (changes.EVEN, changes.NORMAL, changes.TOLERANCE)
        if study is not None and drawn and study.samples == 1:
            changes.change(*self._at, tr("Number of samples"), samples=100)

    def _move(self, place: str) -> None:
        self._place = place
        self.refresh()

    def _set_address(self, text: str) -> None:
        self.address = text

    @property
    def cluster(self) -> str:
        """Address to run on, "" for this computer."""
        return self.address if self._place == CLUSTER else ""

    def open_chooser(self) -> Chooser:
        """Offer the quantities beside the column."""
        if self.chooser is not None:
            self.chooser.close()
        window = self.window()
        corner = self.plus_measure.mapTo(window, QtCore.QPoint(0, 0))
        beside = QtCore.QRect(corner, self.plus_measure.size())
        self.chooser = Chooser(
            self._theme,
            self._studio,
            MeasureTicks(self._studio, self._shown.id),
            window,
            beside,
            tr("The peak of a quantity is measured first; another number is chosen in its line."),
        )
        self.chooser.closed.connect(self._chooser_closed)
        return self.chooser

    def _chooser_closed(self) -> None:
        self.chooser = None
