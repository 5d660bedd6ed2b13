"""Quantities that a study measures, as ticks of the list of quantities."""

from __future__ import annotations

from mechstudio.application.studies import changes
from mechstudio.application.studio import Studio
from mechstudio.model.studies.edits import by_id


class MeasureTicks:
    """Ticks of one study, by its id (view/plots/chooser.py)."""

    def __init__(self, studio: Studio, id: str) -> None:
        self._studio, self._id = studio, id

    def now(self) -> tuple[str, ...] | None:
        study = by_id(self._studio.document.project, self._id)
        return None if study is None else tuple(m.channel for m in study.measures)

    def tick(self, key: str, name: str, on: bool, only: bool) -> None:
        document, study = self._studio.document, by_id(self._studio.document.project, self._id)
        if study is None:
            return
        if on:
            self._studio.plots.used(key)
            changes.measure(document, self._id, key)
        else:
            place = next((k for k, m in enumerate(study.measures) if m.channel == key), None)
            if place is not None:
                changes.measure_no_more(document, self._id, place)
