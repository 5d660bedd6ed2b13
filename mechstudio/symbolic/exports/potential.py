"""The potential energy beside the equations, for programs that show energies."""

from typing import TYPE_CHECKING

import msgspec

from mechstudio.model.equations.lecture import LAGRANGE
from mechstudio.model.equations.terms import Block, Equations
from mechstudio.symbolic.printers.printable import clean
from mechstudio.symbolic.ring.polynomials import Poly

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations


def with_potential(d: "DerivedEquations") -> Equations:
    """The equations with a block "U" (1, 1): energy of weights, springs and bushings, less terms of
    numbers that the equations do not name, which are constant.  Raises TooLarge.
    """
    from mechstudio.symbolic.methods.lagrange import Lagrange

    energies = d.by(LAGRANGE)
    assert isinstance(energies, Lagrange)
    total = sum((_named(d, u) for u in energies.U.values()), d.ring.zero)
    block = Block("U", "U(q)", ((d.presenter.entry(total, ()),),), ("",), ((),))
    return clean(msgspec.structs.replace(d.equations, blocks=(*d.equations.blocks, block)))


def _named(d: "DerivedEquations", energy: Poly) -> Poly:
    """The terms whose symbols have names in the equations."""
    ring, known = d.ring, d.names.p
    start, sines, cosines = ring.starts["p"], ring.starts["s"], ring.starts["c"]
    unnamed = {i for i in range(ring.symbol_count) if i not in known}
    places = {start + i for i in unnamed}
    for k, form in enumerate(ring.forms):
        if any(v < 0 and -1 - v in unnamed for v, _ in form):
            places |= {sines + k, cosines + k}
    kept = {
        powers: coefficient
        for powers, coefficient in (energy.to_dict().items() if energy else ())
        if not any(powers[k] for k in places)
    }
    return ring.context.from_dict(kept)
