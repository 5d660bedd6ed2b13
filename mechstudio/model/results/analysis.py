"""Analysis of a drawing by the engine: structure, mobility, assembled pose, findings (THEORY 4)."""

from typing import Literal

import msgspec

from mechstudio.model.findings import Finding
from mechstudio.model.mechanism import GROUND
from mechstudio.translation import Words

# of chains of bodies: without loops, all in loops, some in loops
CHAINS: dict[str, Words] = {
    "open": "open chain",
    "closed": "closed chain",
    "complex": "complex chain",
}


class Structure(msgspec.Struct, frozen=True):
    """Structure and mobility of a mechanism.

    mobility: freedoms of velocity at a generic pose (d), drives released; mobility_drawn: at the
    drawn pose;
    configuration_freedom: freedoms of positions, which rolling takes nothing from; hyperstaticity
    h; loops L; count:
    Kutzbach's d - h; structure: open, closed or complex.
    coordinates n, closure_equations n_s (with those of couplings and rolling), closure_rank q,
    reaction_unknowns N_s (with theirs).
    closing_joints: id per independent loop; loop_joints: ids along each, the closing one first.
    coupling_rows, rolling_rows: how many of n_s they are.  drives: enabled ones; driven:
    independent ones of them.
    floating: groups of bodies that are not connected to ground, of six freedoms each.
    freedoms_prevented: sum of 6 - f over all joints.
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
    loop_joints: tuple[tuple[str, ...], ...] = ()
    coupling_rows: int = 0
    rolling_rows: int = 0
    drives: int = 0
    driven: int = 0
    floating: int = 0
    freedoms_prevented: int = 0

    @property
    def counted(self) -> int:
        """d - h by counting alone: 6 p - sum (6 - f) - rows of couplings and rolling."""
        return 6 * self.bodies - self.freedoms_prevented - self.coupling_rows - self.rolling_rows

    @property
    def static_hyperstaticity(self) -> int:
        """h from the static side: N_s - 6 p + d."""
        return self.reaction_unknowns - 6 * self.bodies + self.mobility

    @property
    def rolls(self) -> bool:
        """True if rolling removes freedoms of velocity that positions keep."""
        return self.rolling_rows > 0 and self.configuration_freedom != self.mobility


class Freedom(msgspec.Struct, frozen=True):
    """One free motion, to first order.

    name: in words.  kind: "input" (one joint moves and all else follows), "part" (moves a part of
    an open chain), "idle" (a body turns and nothing else moves) or "floating" (a group moves
    freely; twists is empty).  joint, coordinate: what stands for it.
    bodies: ids of those that move.  rates: (joint id, coordinate, rate [rad or m]) of the joints
    that move, rad and m alike per second; none of joints in gimbal lock.
    twists: per body in file order (w; v) in W, v of the body's origin [rad/s, m/s]; no point moves
    faster than the mechanism's size.
    """

    name: str
    kind: Literal["input", "part", "idle", "floating"]
    joint: str = ""
    coordinate: int = 0
    bodies: tuple[str, ...] = ()
    rates: tuple[tuple[str, int, float], ...] = ()
    twists: tuple[tuple[float, ...], ...] = ()


class Cure(msgspec.Struct, frozen=True):
    """A change that takes redundancy away and no motion.

    element: the joint or coupling that is changed; type: its new type, "" to leave it out.  before,
    after: hyperstaticity.
    words: the remedy, as on a button. also: (joint, new type) of the joint changed with it.
    """

    element: str
    type: str
    before: int
    after: int
    words: str
    also: tuple[tuple[str, str], ...] = ()


class Redundancy(msgspec.Struct, frozen=True):
    """Redundant constraints of one joint (or coupling).

    element: its id.  loop: index, -1 for a coupling.  directions: in words.  others: joints that
    prevent the same already.
    count: number of constraints that are too many.   cures: the best first.
    """

    element: str
    loop: int
    directions: str
    others: tuple[str, ...]
    count: int
    cures: tuple[Cure, ...] = ()


class Conserved(msgspec.Struct, frozen=True):
    """One constant of the motion: w.N + v.p, with N about a point O.   words: "momentum along X".

    twist: (w; v at O), of unit |w| or else unit |v|.  bodies: ids of those whose momentum it is;
    all where there are none.
    carrier: id of the body in whose axes the twist stands, O being its origin; GROUND for W.
    central: O is the common centre of mass of the bodies, the axes are those of W.
    """

    words: str
    twist: tuple[float, ...]
    bodies: tuple[str, ...] = ()
    carrier: str = GROUND
    central: bool = False

    @property
    def turns(self) -> bool:
        """True if the constant is an angular momentum."""
        return any(self.twist[:3])


class Analysis(msgspec.Struct, frozen=True):
    """Everything that is shown about a drawing without running it.

    structure: None where the drawing cannot be read as a mechanism (findings say why).  poses:
    assembled pose (x, y, z, w, x, y, z) of each body in file order at t = 0; empty if it cannot be
    assembled.  gap: largest joint gap of the drawing as drawn [m].  moved: largest distance a body
    was moved by assembling [m].
    open: the joint that stands open farthest as drawn (id), where that can be seen; "" otherwise.
    freedoms: the free motions at the drawn pose.  redundancies: loop by loop.  conserved: what of
    the momentum must stay constant.
    """

    structure: Structure | None
    findings: tuple[Finding, ...] = ()
    poses: tuple[tuple[float, ...], ...] = ()
    coordinates: tuple[tuple[float, ...], ...] = ()
    gap: float = 0.0
    moved: float = 0.0
    freedoms: tuple[Freedom, ...] = ()
    redundancies: tuple[Redundancy, ...] = ()
    conserved: tuple[Conserved, ...] = ()
    open: str = ""
