"""Kinds of export: one row per page of the export sheet."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from mechstudio.translation import Words
from mechstudio.view.exports.data import DataPage
from mechstudio.view.exports.equations import EquationsPage
from mechstudio.view.exports.model import ModelPage
from mechstudio.view.exports.movie import MoviePage
from mechstudio.view.exports.page import Page
from mechstudio.view.exports.picture import PicturePage
from mechstudio.view.exports.report import ReportPage

if TYPE_CHECKING:
    from mechstudio.view.main_window import MainWindow


class Kind(NamedTuple):
    """A kind of export.  label, note: in the list.  page(window): its page."""

    label: Words
    note: Words
    icon: str
    page: Callable[[MainWindow], Page]


KINDS: dict[str, Kind] = {
    "movie": Kind("Movie", "GIF, MP4, WebM", "movie", MoviePage),
    "picture": Kind("Picture", "PNG, SVG, PDF", "picture", PicturePage),
    "data": Kind("Data", "CSV, NPZ, clipboard", "table", DataPage),
    "report": Kind("Report", "PDF, HTML, LaTeX…", "file", ReportPage),
    "equations": Kind("Equations", "LaTeX, Python…", "equation", EquationsPage),
    "model": Kind("Model", "FMU, MuJoCo, URDF…", "code", ModelPage),
}
