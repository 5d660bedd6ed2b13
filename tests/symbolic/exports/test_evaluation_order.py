"""Generated code computes lengths and functions behind what they are made of, in whatever order the
equations list them.
"""

import itertools

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.model.equations.evaluation_order import evaluation_order
from mechstudio.model.equations.terms import Definition, Entry, Function, Name, Term
from mechstudio.symbolic.exports import c_code, modelica, program
from mechstudio.symbolic.exports.law_functions import Pieces
from mechstudio.symbolic.exports.simulation.motion import motion_of
from mechstudio.symbolic.printers import python
from tests.symbolic.exports.test_exports import Library, needs_compiler
from tests.symbolic.modelica_run import Model

SQUARE = Pieces(((0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0),))  # f(s) = s^2


def chained():
    """A pendulum whose gravity torque is the length n of a function w of a length l of a function f
    of its angle: f = q^2, l = sqrt(f + 2), w = l^2, n = sqrt(w) = sqrt(q^2 + 2).
    """
    m = ms.Builder("Pendulum", gravity=(0, -9.81, 0))
    rod = m.body("rod", (0.3, 0, 0), mass=1.0, inertia=(0.01,) * 3)
    m.pin("pin", m.ground, rod, at=(0, 0, 0), axis=(0, 0, 1))
    d = ms.derive(m.project())
    e = d.equations
    q = e.coordinates[0].position
    one = lambda *names: Entry(tuple(Term(1, 1, (n,)) for n in names))
    f, w = (tuple(Name(f"{x}{k or ''}", x, "", 0, 1, "", k) for k in range(3)) for x in ("f", "w"))
    l, n = Name("l", "l", "", 0, 1), Name("n", "n", "", 0, 1)
    two = Entry((*one(f[0]).terms, Term(2, 1, ())))
    lengths = [Definition(n, one(w[0])), Definition(l, two)]
    functions = [
        Function(w, one(l), "w", "law", ""),
        Function(f, one(q), "f", "law", ""),
    ]
    blocks = tuple(
        msgspec.structs.replace(b, rows=((one(n),),)) if b.key == "g" else b for b in e.blocks
    )
    return d, msgspec.structs.replace(
        e, blocks=blocks, definitions=tuple(lengths), functions=tuple(functions)
    )


def test_each_stands_behind_what_it_is_made_of():
    _, e = chained()
    names = [
        x.name.name if isinstance(x, Definition) else x.names[0].name
        for x in evaluation_order(e, {"n"})
    ]
    assert names == ["f", "l", "w", "n"]
    assert evaluation_order(e, {"q"}) == ()
    for definitions, functions in itertools.product(
        itertools.permutations(e.definitions), itertools.permutations(e.functions)
    ):
        other = msgspec.structs.replace(e, definitions=definitions, functions=functions)
        assert evaluation_order(other, {"n", "w1"}) == evaluation_order(e, {"n"})


def test_python_computes_a_chain_of_functions():
    _, e = chained()
    code = {}
    exec(python.source(e), code)
    code["FUNCTIONS"].update(f=SQUARE.at, w=SQUARE.at)
    assert code["equations"]([0.7], [0.0])[2] == pytest.approx([np.sqrt(0.49 + 2.0)])
    del code["FUNCTIONS"]
    # forces need none of them
    assert code["forces"]([0.7], [0.0]).tolist() == [0.0]


@needs_compiler
def test_c_computes_a_chain_of_functions(tmp_path):
    _, e = chained()
    library = Library(c_code.printed(e, "a", {"f": SQUARE, "w": SQUARE}), tmp_path, 1, 0)
    assert library.equations(np.array([0.7]), np.zeros(1), None)[2] == pytest.approx(
        [np.sqrt(0.49 + 2.0)]
    )


def test_modelica_declares_all_of_a_chain():
    d, e = chained()
    text = modelica.printed(e, "a", motion_of(d), {"f": SQUARE, "w": SQUARE})
    known = Model(text).run(0.1, 2)
    assert np.isfinite(known[e.coordinates[0].position.name]).all()
    assert all(f"  Real {x};" in text for x in ("f", "w", "l", "n"))


def test_another_order_is_seen(monkeypatch):
    """Lengths before functions, as they were once computed."""
    given = lambda e, read: (*e.definitions, *e.functions)
    monkeypatch.setattr(python, "evaluation_order", given)
    monkeypatch.setattr(program, "evaluation_order", given)
    _, e = chained()
    code = {}
    exec(python.source(e), code)
    code["FUNCTIONS"].update(f=SQUARE.at, w=SQUARE.at)
    with pytest.raises(UnboundLocalError):
        code["equations"]([0.7], [0.0])
