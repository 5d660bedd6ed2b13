"""All figures of the marks of a drawing, at an instant."""

from collections.abc import Iterator

import numpy as np

from mechstudio.application.marks.figures import poles, swept
from mechstudio.application.marks.figures.bodies import FIXED
from mechstudio.application.marks.figures.figure import Figures, Line, Outline, Symbol
from mechstudio.application.marks.figures.ghosts import Ghosts, Run
from mechstudio.application.runs.recording import Recording
from mechstudio.application.scene.display_size import glyph_size, view_size
from mechstudio.model.edits.marks import of_type
from mechstudio.model.mechanism import GROUND, Mechanism
from mechstudio.model.project import Mark, Project
from mechstudio.model.units import format_value
from mechstudio.translation import tr

POLE, CENTRODE, SWEPT = "pole", "centrode", "swept"


def pair_of(mark: Mark) -> tuple[str, str]:
    """Ids of the body of a mark and of the one that it is seen from, the ground where none is."""
    return mark.body, mark.other or GROUND


class FigureMaker:
    """Maker of the figures of one document; what does not change is made once."""

    def __init__(self) -> None:
        self.ghosts = Ghosts()
        self._fixed: tuple[object, tuple[Line, ...], tuple[Symbol, ...]] = (None, (), ())
        self._curves: tuple[object, tuple[Line, ...], tuple[Outline, ...]] = (None, (), ())
        self._lines: tuple[object, tuple[Line, ...]] = (None, ())
        self._outlines: tuple[object, tuple[Outline, ...]] = (None, ())
        self._fastest: dict[object, float] = {}
        self._extents: dict[object, np.ndarray] = {}

    def figures(self, project: Project, run: Run | None, units: str = "mm-N-deg") -> Figures:
        """Figures beside a drawing.  run: None without a recording.  units: of numbers in words."""
        if not project.marks:
            return Figures()
        fixed, symbols = self._on_bodies(project)
        if run is None:
            return self._joined(fixed, (), (), (), symbols)
        curves, passed = self._over_run(project, run.recording)
        ghosts = self.ghosts.outlines(project, run)
        moving = tuple(self._poles(project, run, units))
        lines = tuple(part for part in moving if isinstance(part, Line))
        more = tuple(part for part in moving if isinstance(part, Symbol))
        joined = self._joined(fixed, curves, ghosts, passed, (*symbols, *more))
        return joined._replace(moving=lines)

    def _joined(
        self,
        fixed: tuple[Line, ...],
        curves: tuple[Line, ...],
        ghosts: tuple[Outline, ...],
        passed: tuple[Outline, ...],
        symbols: tuple[Symbol, ...],
    ) -> Figures:
        """All in one; lines and outlines are the same objects while they are the same."""
        key = (id(fixed), id(curves))
        if self._lines[0] != key:
            self._lines = (key, (*fixed, *curves))
        key = (id(ghosts), id(passed))
        if self._outlines[0] != key:
            self._outlines = (key, (*passed, *ghosts))
        return Figures(self._lines[1], self._outlines[1], symbols)

    def _on_bodies(self, project: Project) -> tuple[tuple[Line, ...], tuple[Symbol, ...]]:
        m = project.mechanism
        if self._fixed[0] != (m, project.marks):
            glyph = glyph_size(m, view_size(m))
            marks = [(type, mark) for type in FIXED for mark in of_type(project, type)]
            parts = [part for type, mark in marks for part in FIXED[type](m, mark, glyph)]
            lines = tuple(part for part in parts if isinstance(part, Line))
            symbols = tuple(part for part in parts if isinstance(part, Symbol))
            self._fixed = ((m, project.marks), lines, symbols)
        return self._fixed[1:]

    def _over_run(
        self, project: Project, recording: Recording
    ) -> tuple[tuple[Line, ...], tuple[Outline, ...]]:
        """Centrodes and swept spaces, once a run is finished."""
        m, layout = project.mechanism, recording.layout
        key = (m, project.marks, recording, recording.finished)
        if self._curves[0] != key:
            lines: list[Line] = []
            outlines: list[Outline] = []
            if recording.finished and recording.count:
                size = view_size(m)
                for mark in of_type(project, CENTRODE):
                    fastest, pair = self.fastest(m, recording), pair_of(mark)
                    lines += poles.centrodes(m, layout, recording.rows, pair, fastest, size)
                for mark in of_type(project, SWEPT):
                    if edges := self.ghosts.edges(m).get(mark.body):
                        color = m.bodies[mark.body].color
                        outlines += swept.outlines(edges, color, recording, mark.body)
            self._curves = (key, tuple(lines), tuple(outlines))
        return self._curves[1:]

    def _poles(self, project: Project, run: Run, units: str) -> Iterator[Line | Symbol]:
        m, layout, size = project.mechanism, run.recording.layout, view_size(project.mechanism)
        marks = of_type(project, POLE)
        sample = run.recording.sample(run.now) if marks else np.zeros(0)
        for mark in marks:
            pair = pair_of(mark)
            found = poles.pole(m, layout, sample, pair, self.fastest(m, run.recording), size)
            if found is None:
                continue
            words = far = tr("I {pair}", pair=found.words)
            if found.flat:
                away = format_value(found.away, "length", units, 3)
                far = tr("I {pair}, {distance} away", pair=found.words, distance=away)
            elif abs(found.pitch) <= poles.PITCHLESS * size:
                words = tr("{pair}, turns", pair=found.words)
            else:
                turn = format_value(2 * np.pi * found.pitch, "length", units, 4)
                words = tr("{pair}, {pitch} a turn", pair=found.words, pitch=turn)
            yield from poles.drawn(found, size, words, far)

    def fastest(self, m: Mechanism, recording: Recording) -> float:
        """Largest angular velocity of a body over the run [rad/s], or velocity over the size where
        that is more.
        """
        key = (recording, recording.count.bit_length())
        if key not in self._fastest:
            if len(self._fastest) > 64:
                self._fastest.clear()
            rows = recording.rows[:: max(1, recording.count // poles.MOST)]
            self._fastest[key] = poles.fastest(recording.layout, rows, view_size(m))
        return self._fastest[key]

    def extent(self, m: Mechanism, recording: Recording, body: str) -> np.ndarray | None:
        """Sides (3,) of the box that a body stays in over a finished run [m]; None while it is not
        known.
        """
        edges = self.ghosts.edges(m).get(body)
        if not recording.finished or not recording.count or edges is None:
            return None
        key = (recording, body)
        if key not in self._extents:
            if len(self._extents) > 64:
                self._extents.clear()
            self._extents[key] = swept.extent(edges, recording, body)
        return self._extents[key]
