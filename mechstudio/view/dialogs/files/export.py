"""Exports: the dialog that asks where to, and the menu of formats in the equations panel."""

from collections.abc import Callable
from pathlib import Path

from PySide6 import QtWidgets

from mechstudio.application.studio import Studio
from mechstudio.model.types.exports import EXPORTS, ExportFormat
from mechstudio.translation import tr
from mechstudio.view.dialogs.files.chooser import ask_target


def save_export(
    window: QtWidgets.QWidget, studio: Studio, formats: tuple[ExportFormat, ...], method: str
) -> None:
    """Ask where to, in one of some formats, and make it."""
    filters = {tr("{label} (*{suffix})", label=tr(f.label), suffix=f.suffix): f for f in formats}

    def chosen(path: Path) -> None:
        # several formats may share an ending, and another one may have been typed
        picked = filters[dialog.selectedNameFilter()]
        named = [f for f in formats if path.name.lower().endswith(f.suffix)]
        format = picked if picked in named or not named else named[0]
        studio.questions.exports.request(format.id, method, studio.preferences.units, path)

    dialog = ask_target(
        window,
        studio.preferences.stored.folder,
        tr("Save the equations"),
        {words: f.suffix for words, f in filters.items()},
        studio.questions.exports.suggested(formats[0].id),
        chosen,
        "export",
    )
    studio.questions.exports.prepare()


def export_menu(
    parent: QtWidgets.QWidget,
    studio: Studio,
    method: Callable[[], str],
    report: Callable[[], object],
) -> QtWidgets.QMenu:
    """Copy as …, Save as …, Report …  report(): asks for one."""
    menu = QtWidgets.QMenu(parent)
    copying, saving = menu.addMenu(tr("Copy as")), menu.addMenu(tr("Save as"))
    for f in EXPORTS:
        if f.text:
            copying.addAction(
                tr(f.label),
                lambda f=f: studio.questions.exports.request(
                    f.id, method(), studio.preferences.units
                ),
            )
        if not f.report:
            saving.addAction(
                tr("{label}…", label=tr(f.label)),
                lambda f=f: save_export(parent.window(), studio, (f,), method()),
            )
    menu.addSeparator()
    menu.addAction(tr("Report…"), report)
    # what is chosen next comes sooner
    menu.aboutToShow.connect(studio.questions.exports.prepare)
    return menu
