"""Equations as SymPy matrices, for the user's own work and as an independent check."""

from functools import cached_property

import sympy

from mechstudio.model.equations.terms import PI, Entry, Equations, Factor, Name, Term, Trig


class Converter:
    """Converts entries of one derivation; every symbol is real, and the same object wherever it
    occurs.
    """

    def __init__(self, equations: Equations):
        self.equations = equations
        self._symbols: dict[str, sympy.Symbol] = {}
        self._lengths = {d.name.name for d in equations.definitions}
        self._defined = {
            d.name.name: sympy.sqrt(self.entry(d.entry)) for d in equations.definitions
        }
        self._matrices: dict[str, sympy.Matrix] = {}
        row = lambda names: tuple(self.symbol(n.name) for n in names)
        self.symbols = {
            "q": row(u.position for u in equations.coordinates),
            "v": row(u.velocity for u in equations.coordinates),
            "a": row(u.acceleration for u in equations.coordinates),
            "multipliers": row(equations.multipliers),
            "parameters": row(k.name for k in equations.parameters),
            "following": row(k.name for k in equations.following),
            "functions": row(n for f in equations.functions for n in f.names),
        }

    @cached_property
    def following(self) -> dict[sympy.Symbol, sympy.Expr]:
        """Per symbol that follows from parameters its expression in these alone."""
        found: dict = {self.symbol(PI): sympy.pi}
        for d in self.equations.formulas:
            found[self.symbol(d.name.name)] = self.entry(d.entry).subs(found)
        del found[self.symbol(PI)]
        return found

    def symbol(self, name: str) -> sympy.Symbol:
        return self._symbols.setdefault(name, sympy.Symbol(name, real=True))

    def factor(self, f: Factor):
        if isinstance(f, Name):
            base = self._defined[f.name] if f.name in self._lengths else self.symbol(f.name)
        elif isinstance(f, Trig):
            base = getattr(sympy, f.function)(self.sum(f.argument))
        else:
            base = self.sum(f.terms)
        return base**f.power

    def term(self, t: Term):
        return sympy.Mul(
            sympy.Rational(t.numerator, t.denominator), *[self.factor(f) for f in t.factors]
        )

    def sum(self, terms: tuple[Term, ...]):
        return sympy.Add(*[self.term(t) for t in terms])

    def entry(self, e: Entry):
        return self.sum(e.terms)

    def matrix(self, key: str) -> sympy.Matrix:
        """One of M, b, g, tau, C, C_q, gamma; without closing rows the last three have no rows."""
        if key not in self._matrices:
            block = next((b for b in self.equations.blocks if b.key == key), None)
            if block is None:
                columns = len(self.equations.coordinates) if key == "C_q" else 1
                self._matrices[key] = sympy.zeros(0, columns)
            else:
                self._matrices[key] = sympy.Matrix(
                    [[self.entry(c) for c in row] for row in block.rows]
                )
        return self._matrices[key].copy()
