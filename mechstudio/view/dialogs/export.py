"""Exports: the dialog that asks where to, and the menu of formats in the equations panel."""

from collections.abc import Callable
from pathlib import Path

from PySide6 import QtCore, QtWidgets

from mechstudio.application.studio import Studio
from mechstudio.model.types.exports import EXPORTS, ExportFormat
from mechstudio.translation import tr


def save_export(
    window: QtWidgets.QWidget, studio: Studio, formats: tuple[ExportFormat, ...], method: str
) -> None:
    """Ask where to, in one of some formats, and make it."""
    dialog = QtWidgets.QFileDialog(
        window,
        tr("Save the report") if formats[0].report else tr("Save the equations"),
        studio.preferences.stored.folder,
    )
    dialog.setObjectName("export")
    dialog.setAcceptMode(QtWidgets.QFileDialog.AcceptMode.AcceptSave)
    filters = {tr("{label} (*{suffix})", label=tr(f.label), suffix=f.suffix): f for f in formats}
    dialog.setNameFilters(list(filters))

    def follow(filter: str) -> None:
        # the name stays as it was typed
        suffix, typed = filters[filter].suffix, dialog.selectedFiles()
        dialog.setDefaultSuffix(suffix.lstrip("."))
        dialog.selectFile(f"{Path(typed[0]).stem}{suffix}")

    dialog.setDefaultSuffix(formats[0].suffix.lstrip("."))
    dialog.selectFile(studio.questions.exports.suggested(formats[0].id))
    dialog.filterSelected.connect(follow)
    dialog.fileSelected.connect(
        lambda path: studio.questions.exports.request(
            filters[dialog.selectedNameFilter()].id, method, studio.preferences.units, Path(path)
        )
    )
    dialog.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    studio.questions.exports.prepare()


def export_menu(
    parent: QtWidgets.QWidget, studio: Studio, method: Callable[[], str]
) -> QtWidgets.QMenu:
    """Copy as …, Save as …, Report …"""
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
    menu.addAction(
        tr("Report…"),
        lambda: save_export(
            parent.window(), studio, tuple(f for f in EXPORTS if f.report), method()
        ),
    )
    # what is chosen next comes sooner
    menu.aboutToShow.connect(studio.questions.exports.prepare)
    return menu
