"""What the engine has found out about a drawing: structure, mobility, assembled pose, findings (THEORY 4)."""

from typing import Literal

import msgspec

from .findings import Finding


class Structure(msgspec.Struct, frozen=True):
    """Structure and mobility of a mechanism.

    mobility: freedoms at a generic pose (d); mobility_drawn: at the drawn pose; configuration_freedom: freedoms of
    positions; hyperstaticity h; loops L; count: Kutzbach's d - h; structure: open, closed or complex.
    coordinates n, closure_equations n_s, closure_rank q, reaction_unknowns N_s; closing_joints: id per independent loop.
    """

    bodies: int
    joints: int
    mobility: int
    mobility_drawn: int
    configuration_freedom: int
    hyperstaticity: int
    loops: int
    structure: Literal["open", "closed", "complex"]
    count: int
    coordinates: int
    closure_equations: int
    closure_rank: int
    reaction_unknowns: int
    closing_joints: tuple[str, ...] = ()


class Analysis(msgspec.Struct, frozen=True):
    """Everything that is shown about a drawing without running it.

    structure: None where the drawing cannot be read as a mechanism (findings say why).   poses: assembled pose
    (x, y, z, w, x, y, z) of each body in file order at t = 0; empty if it cannot be assembled.   gap: largest joint gap
    of the drawing as drawn [m].   moved: largest distance a body was moved by assembling [m].
    """

    structure: Structure | None
    findings: tuple[Finding, ...] = ()
    poses: tuple[tuple[float, ...], ...] = ()
    coordinates: tuple[tuple[float, ...], ...] = ()
    gap: float = 0.0
    moved: float = 0.0
