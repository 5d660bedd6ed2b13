"""Base of the three methods of derivation: the drawing as read, the matrices that they fill, and
the guard of their size.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mechstudio.model.equations.lecture import METHODS
from mechstudio.symbolic.errors import TooLarge
from mechstudio.symbolic.kinematics.kinematics import Kinematics
from mechstudio.symbolic.kinematics.load_efforts import Effort
from mechstudio.symbolic.kinematics.loads import Loads
from mechstudio.symbolic.kinematics.loop_joints import Closure
from mechstudio.symbolic.kinematics.loop_rows import Row
from mechstudio.symbolic.plan.plan import Plan
from mechstudio.symbolic.ring.polynomials import Poly, Ring, Vector
from mechstudio.translation import tr

if TYPE_CHECKING:
    from mechstudio.symbolic.kinematics.coupling_rows import Ratio, Target

PAIRS = tuple(
    (a, b) for k, a in enumerate(METHODS) for b in METHODS[k + 1 :]
)  # of methods that are compared
Progress = Callable[[float, str], None]


@dataclass
class Setting:
    """A drawing read for a derivation: everything that all methods share, and nothing that one of
    them works out.

    rows: of C, with C_q and gamma.  closures, ratios: closing joints and couplings, read.  rooted:
    closing joints with a root of their own.  notes: conventions, in sentences.  targets: drives,
    read.
    """

    plan: Plan
    loads: Loads
    ring: Ring
    kinematics: Kinematics
    efforts: list[Effort]
    rows: list[Row]
    gravity: Vector
    closures: list[Closure]
    ratios: list["Ratio"]
    rooted: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)
    targets: list["Target"] = field(default_factory=list)


class Method(ABC):
    """One derivation: M, b, g and tau in the ring, each term tagged with the body or force that it
    comes from.
    """

    def __init__(self, setting: Setting, term_limit: int, progress: Progress):
        self.setting, self.plan, self.loads, self.ring, self.kinematics = (
            setting,
            setting.plan,
            setting.loads,
            setting.ring,
            setting.kinematics,
        )
        self.efforts, self.gravity = setting.efforts, setting.gravity
        self.term_limit, self.progress = term_limit, progress
        n = self.ring.coordinate_count
        self.M = [[self.ring.zero] * n for _ in range(n)]
        self.b = [self.ring.zero] * n
        self.g = [self.ring.zero] * n
        self.tau = [self.ring.zero] * n

    @abstractmethod
    def derive(self) -> None:
        """Fill M, b, g and tau.  Raises TooLarge."""

    def side(self, effort: Effort) -> tuple[list[Poly], int]:
        """Vector and sign with which a load's generalised force is added: what has a potential
        stands on the left side.
        """
        return (self.g, -1) if effort.conservative else (self.tau, 1)

    def mirror(self) -> None:
        """Fill M below its diagonal."""
        for k in range(self.ring.coordinate_count):
            for j in range(k):
                self.M[k][j] = self.M[j][k]

    def watch(self, entries: Iterable[Poly]) -> None:
        """Raise TooLarge for more terms than anybody reads."""
        count = sum(len(p) for p in entries)
        if count > self.term_limit:
            raise TooLarge(
                tr(
                    "The closed form has more than {term_limit} terms, which nobody reads; only "
                    "its structure is shown. Read the recursive form, derive a part of the "
                    "mechanism, or use the numbers of a run.",
                    term_limit=self.term_limit,
                )
            )
