"""The menu of measured data over a curve: their clock, and their removal."""

from __future__ import annotations

from collections.abc import Callable

from PySide6 import QtWidgets

from mechstudio.application.notifications import Message
from mechstudio.application.plots.measurements import own_clock, pairs_to_fit, removed, shifted
from mechstudio.application.studio import Studio
from mechstudio.curves.measurements.table import DataUnreadable
from mechstudio.model.project import Measurement
from mechstudio.translation import tr
from mechstudio.view.dialogs.time_fit import TimeFit


def measured_menu(
    owner: QtWidgets.QWidget,
    studio: Studio,
    data: Measurement,
    on: bool,
    show_difference: Callable[[str, bool], object],
) -> QtWidgets.QMenu:
    """Menu of measured data; each edit is one step to undo, and the clock is that of all columns of
    their file.  on: the run less the data is shown; show_difference(id, on): shows it or not.
    """
    menu = QtWidgets.QMenu(owner)
    menu.aboutToHide.connect(menu.deleteLater)
    difference = menu.addAction(tr("Show the difference"))
    difference.setCheckable(True)
    difference.setChecked(on)
    difference.setToolTip(tr("The run less the measured data, as a curve"))
    difference.triggered.connect(lambda shown: show_difference(data.id, shown))
    menu.addSeparator()
    fit = menu.addAction(tr("Fit the time to the run"))
    fit.triggered.connect(lambda _=False: fit_again(owner, studio, data))
    clock = menu.addAction(tr("Time as in the file"))
    clock.setEnabled(data.shift != 0)
    clock.triggered.connect(lambda _=False: _shift(studio, data, 0.0))
    menu.addSeparator()
    away = menu.addAction(tr("Remove measured data"))
    away.triggered.connect(
        lambda _=False: studio.document.commit(
            tr("Remove measured {name}", name=data.name),
            removed(studio.document.project, data.id),
        )
    )
    return menu


def _shift(studio: Studio, data: Measurement, shift: float) -> None:
    studio.document.commit(
        tr("Time of {name}", name=data.source or data.name),
        shifted(studio.document.project, data.source, shift),
    )


def fit_again(owner: QtWidgets.QWidget, studio: Studio, data: Measurement) -> TimeFit | None:
    """Find the shift of least squares to the run as it is now; None where there is none."""

    def done(found: float | str) -> None:
        if isinstance(found, str):
            studio.notifications.say(Message("warning", found, "plot"))
        elif any(m.source == data.source for m in studio.document.project.measurements):
            _shift(studio, data, found)

    try:
        pairs = pairs_to_fit(
            own_clock(studio.document.project, data.source),
            studio.runs.recording,
            studio.questions.curves.answers,
        )
    except DataUnreadable as error:
        done(str(error))
        return None
    return TimeFit(owner, pairs, done)
