"""The system's dialogs that ask for a file to read or to write."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6 import QtCore, QtWidgets


def ask_source(
    owner: QtWidgets.QWidget,
    folder: str,
    title: str,
    filters: Sequence[str],
    chosen: Callable[[Path], object],
    name: str = "",
) -> QtWidgets.QFileDialog:
    """Ask for a file that there is.  filters: words and patterns, the first one is in force; name:
    of the dialog among the owner's.
    """
    dialog = _dialog(owner, folder, title, filters, chosen, name)
    dialog.setFileMode(QtWidgets.QFileDialog.FileMode.ExistingFile)
    dialog.open()
    return dialog


def ask_target(
    owner: QtWidgets.QWidget,
    folder: str,
    title: str,
    kinds: Mapping[str, str],
    suggested: str,
    chosen: Callable[[Path], object],
    name: str = "",
) -> QtWidgets.QFileDialog:
    """Ask where to write a file.  kinds: ending, such as ".svg", by filter; suggested: a file name
    without a folder; name: of the dialog among the owner's.  The ending follows the filter, and the
    name stays as it was typed; to one with no ending of `kinds` that of the filter is added.
    """

    def take(path: Path) -> None:
        ending = kinds.get(dialog.selectedNameFilter(), next(iter(kinds.values())))
        if any(has_ending(path, filter, known) for filter, known in kinds.items()):
            chosen(path)
            return
        whole = path.with_name(path.name + ending)
        if whole.exists():
            # the dialog has warned about another file than the one that would be lost
            first = {f: e for f, e in kinds.items() if e == ending} | {**kinds}
            ask_target(owner, f"{path.parent}", title, first, whole.name, chosen, name)
        else:
            chosen(whole)

    dialog = _dialog(owner, folder, title, list(kinds), take, name)
    dialog.setAcceptMode(QtWidgets.QFileDialog.AcceptMode.AcceptSave)

    def follow(filter: str) -> None:
        typed = dialog.selectedFiles()
        dialog.setDefaultSuffix(kinds[filter].lstrip("."))
        dialog.selectFile(f"{Path(typed[0]).stem}{kinds[filter]}")

    dialog.setDefaultSuffix(next(iter(kinds.values())).lstrip("."))
    dialog.selectFile(suggested)
    dialog.filterSelected.connect(follow)
    dialog.open()
    return dialog


def has_ending(path: Path, filter: str, ending: str) -> bool:
    """True if a file is called as one of a filter, which may name more endings than its first."""
    named = path.name.lower()
    return named.endswith((ending, *re.findall(r"\*(\.[\w.]+)", filter)))


def _dialog(
    owner: QtWidgets.QWidget,
    folder: str,
    title: str,
    filters: Sequence[str],
    chosen: Callable[[Path], object],
    name: str,
) -> QtWidgets.QFileDialog:
    dialog = QtWidgets.QFileDialog(owner, title, folder)
    dialog.setObjectName(name)
    dialog.setNameFilters(filters)
    dialog.fileSelected.connect(lambda path: chosen(Path(path)))
    dialog.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
    return dialog
