"""The potential energy as a block beside the equations, and what springs and bushings store."""

from typing import TYPE_CHECKING

import msgspec

from mechstudio.model.equations.lecture import LAGRANGE
from mechstudio.model.equations.terms import Block, Entry, Equations, names_of_terms
from mechstudio.model.types.forces import has_potential
from mechstudio.symbolic.methods.blocks import known_symbols
from mechstudio.symbolic.methods.lagrange import Lagrange
from mechstudio.symbolic.printers.printable import clean
from mechstudio.symbolic.ring.polynomials import Poly

if TYPE_CHECKING:
    from mechstudio.symbolic.methods.derived_equations import DerivedEquations


def energy_block(entry: Entry) -> Block:
    """The block "U" (1, 1) of an energy [J]."""
    return Block("U", "U(q)", ((entry,),), ("",), ((),))


def with_energy(d: "DerivedEquations") -> Equations:
    """The closed form with a block "U" (1, 1): energy of weights and of springs and bushings that
    follow no law [J], as of a run, less terms of numbers that the equations do not name, which are
    constant.  Raises TooLarge.
    """
    energies = d.by(LAGRANGE)
    assert isinstance(energies, Lagrange)
    forces = d.plan.mechanism.forces
    stored = (u for id, u in energies.U.items() if id not in forces or has_potential(forces[id]))
    total = sum((named(d, u) for u in stored), d.ring.zero)
    block = energy_block(d.presenter.entry(total, ()))
    e = d.equations
    used = {n.name for n in names_of_terms(block.rows[0][0].terms)}
    # lectures name symbols that the equations do without
    e = known_symbols(d, used).beside(e)
    return clean(msgspec.structs.replace(e, blocks=(*e.blocks, block)))


def potentials(d: "DerivedEquations") -> list[Poly]:
    """Energies of springs and bushings that follow no law.  Raises TooLarge."""
    method = Lagrange(d.setting, d.term_limit, d.report)
    return [
        method.potential(effort)
        for effort in d.setting.efforts
        if effort.conservative and has_potential(effort.load.force)
    ]


def named(d: "DerivedEquations", energy: Poly) -> Poly:
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
