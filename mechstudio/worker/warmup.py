"""Warm-up of the process for equations: a small derivation from end to end before any is requested,
so that the first one waits for nothing to be loaded.
"""

from collections.abc import Iterator

from mechstudio.model.equations.lecture import METHODS, RECURSIVE
from mechstudio.model.mechanism import Body, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.quantity import Quantity
from mechstudio.worker.typesetting import Typesetter

INK = {"text": "#000000", "mute": "#808080"}
SIZE = 14.5  # of letters, as the panel has them


def warmed(typesetter: Typesetter) -> Iterator[None]:
    """Run a derivation of one body, its proofs, chapters and pictures; a process that is requested
    something meanwhile stops here.
    """
    from mechstudio.symbolic import derive
    from mechstudio.symbolic.printers import latex
    from mechstudio.symbolic.printers.typst import typst_equations, typst_steps

    yield
    derivation = derive(Project(Mechanism({"body": Body("body", "body", mass=Quantity(1.0))}, {})))
    equations = derivation.terms()
    yield
    for part in ("structure", "rows"):
        found = typst_equations.markup(equations, part, INK)
        typesetter.picture(found.source, found.links, INK["text"], SIZE, 1.0, 600.0, found.words)
        yield
    _ = derivation.proofs
    yield
    latex.printed(equations)
    yield
    chapters = []
    for key in (*METHODS, RECURSIVE):
        chapters.append(derivation.chapter(key))
        yield
    text = typst_steps.markup(chapters[-1].steps[-1], INK, lambda source: True, frozenset())
    typesetter.picture(text.source, text.links, INK["text"], SIZE, 1.0, 600.0, text.words)
