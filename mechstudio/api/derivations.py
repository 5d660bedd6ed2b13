"""The equations of motion: derived, compared and written."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from mechstudio.model.project import Project
from mechstudio.model.units import DEFAULT_SYSTEM
from mechstudio.symbolic.errors import DerivationError as DerivationError
from mechstudio.translation import comma, tr

if TYPE_CHECKING:
    from mechstudio.model.equations.lecture import Proof
    from mechstudio.symbolic.derivation import Derivation


def derive(
    project: Project,
    method: str = "lagrange",
    *,
    coordinates: str = "joint",
    progress: Callable[[float, str], None] | None = None,
) -> "Derivation":
    """The equations of motion in symbols: M(q) a + b(q, v) + g(q) = tau, with C(q) = 0 and
    multipliers where loops close (THEORY 5).

    coordinates: "joint" (of the joints that carry bodies, in file order), "link" (angles of links
    in their plane), or "auto" (link angles where loops close and
    for open planar chains of four to fifteen hinges).
    progress(fraction, sentence): called while it derives.  The result has mass_matrix, bias,
    gravity, forces, constraints, jacobian and gamma as SymPy matrices, symbols, following (what
    follows from parameters), values, function(), text(), latex(), python() and json().
    Raises DerivationError (a ValueError) with object, cause and cure.

        >>> equations = ms.derive(ms.load("cart_pole.mech"))
        >>> [u.meaning for u in equations.equations.coordinates]
        ['slide of joint rail', 'angle of joint pin']
        >>> equations.mass_matrix.shape
        (2, 2)
    """
    from mechstudio.engine.constraints.tracks import track_tables
    from mechstudio.symbolic.derivation import derive

    derivation = derive(project, method, coordinates=coordinates, progress=progress)
    derivation.curves = {id: table.at for id, table in track_tables(project.mechanism).items()}
    return derivation


def agreement(derivation: "Derivation") -> "Proof":
    """Proof that derived equations and simulator start in one place and accelerate alike at random
    states (model.equations.lecture.Proof), drives, stops and contacts left out.

    Raises EngineError for a mechanism that cannot be run.

        >>> ms.agreement(ms.derive(ms.load("double_pendulum.mech"))).holds
        True
    """
    from mechstudio.engine.agreement import Simulator
    from mechstudio.symbolic.instants.states import engine_proof

    plan = derivation.plan
    return engine_proof(derivation, Simulator(plan.mechanism, plan.tree.closing))


def export_equations(
    project: Project,
    path: str | os.PathLike[str],
    format: str = "",
    *,
    method: str = "lagrange",
    coordinates: str = "auto",
    units: str = DEFAULT_SYSTEM,
    progress: Callable[[float, str], None] | None = None,
) -> None:
    """Write the equations of motion, or a report of them, into a file: LaTeX, PDF, Python, C,
    Modelica, a notebook …

    format: an id of model/types/exports.py, such as "report-pdf"; "" for the one that the file's
    ending stands for.  units: of numbers in documents; code is in SI.  progress(fraction,
    sentence): called while it works.  Raises DerivationError (a ValueError) as derive, and for
    contacts, stops and friction that sticks in FMUs, Modelica models and notebooks;
    ValueError for an ending that stands for no format, KeyError for an unknown format, OSError with
    a sentence where the path cannot be written; what was there is then as it was.

        >>> ms.export_equations(ms.load("cart_pole.mech"), "cart_pole.tex")
        >>> ms.export_equations(ms.load("cart_pole.mech"), "report.html", "report-html")
    """
    from mechstudio.files.durable import write
    from mechstudio.model.types.exports import BY_ID, by_suffix

    found = BY_ID.get(format) if format else by_suffix(os.path.splitext(os.fspath(path))[1])
    if found is None:
        if format:
            raise KeyError(
                tr(
                    "There is no format {format}; there are {by_id}.",
                    format=format,
                    by_id=comma().join(BY_ID),
                )
            )
        raise ValueError(
            tr(
                "The ending of {path} stands for no format; there are {sorted}.",
                path=os.fspath(path),
                sorted=comma().join(sorted({f.suffix for f in BY_ID.values()})),
            )
        )
    derivation = derive(project, method, coordinates=coordinates, progress=progress)
    title = project.lesson.title or os.path.splitext(os.path.basename(os.fspath(path)))[0]
    content = derivation.export(found.id, title=title, units=units, progress=progress)
    write(path, content if isinstance(content, bytes) else content.encode())
