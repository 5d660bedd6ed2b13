"""Long elements by parts with names: put together again they are the elements, in the ring and as
they are written.
"""

import numpy as np
import pytest

from mechstudio.files import project_file
from mechstudio.model.equations.term_lengths import term_count
from mechstudio.model.equations.terms import Group, Name
from mechstudio.symbolic import derive
from mechstudio.symbolic.methods.sampling import Values
from mechstudio.symbolic.printers import named_terms
from mechstudio.symbolic.printers.named_terms import Parts, orders, whole
from tests.symbolic.lecture.test_lectures import number
from tests.symbolic.samples import SAMPLES


def sample(name):
    return derive(
        project_file.load(next(p for p in SAMPLES if p.stem == name)).project, coordinates="auto"
    )


@pytest.fixture(scope="module")
def stewart():
    return sample("stewart_platform")


def together(ring, parts, products, over=1):
    """The element of a sum of products."""
    total = ring.zero
    for p in products:
        element = ring.element({tuple(sorted(p.factors)): p.coefficient})
        total = total + (
            element if p.part is None else element * together(ring, parts, parts.nodes[p.part])
        )
    return total / over


def test_parts_put_together_are_the_element(stewart):
    ring = stewart.ring
    elements = [
        ring.untagged(p)
        for p in (
            *(r.gamma for r in stewart.rows[:4]),
            stewart.matrices["b"][0][0],
            stewart.matrices["M"][0][0],
        )
    ]
    read = [whole(ring, p) for p in elements]
    for place in orders(ring):
        parts = Parts([terms for terms, _ in read], place)
        assert [
            together(ring, parts, products, over) for products, (_, over) in zip(parts.sums, read)
        ] == elements


def test_a_line_is_written_once_where_an_element_is_a_part_of_another_too(stewart):
    ring = stewart.ring
    element = next(
        p for r in stewart.rows for p in (ring.untagged(r.gamma),) if len(whole(ring, p)[0]) > 6
    )
    rate = ring.element({((ring.starts["v"], 1),): 1})
    written = named_terms.Sharing(
        ring, stewart.presenter, lambda k: Name(f"zeta_{k}", "zeta", str(k))
    ).written([element, element, element * rate])
    names = [name for lines, _ in written for name, _ in lines]
    assert names and len(names) == len(set(names))


def values_of(d, q, v):
    values = {k.name.name: k.value for k in d.equations.parameters} | {
        name.name: d.plan.symbols.value_of(i) for i, name in d.names.p.items()
    }
    for x, y, position, velocity in zip(q, v, d.names.q, d.names.v):
        values |= {position.name: x, velocity.name: y}
    return values


def filled(equations, values):
    """The numbers of all left sides, line by line."""
    for e in equations:
        values[e.left.terms[0].factors[0].name] = number(e.right, values)
    return values


def test_rows_of_a_long_loop_are_short_and_exact(stewart):
    d = stewart
    rng = np.random.default_rng(4)
    q, v = (
        rng.uniform(0.2, 0.9, len(d.plan.coordinates)),
        rng.uniform(-1, 1, len(d.plan.coordinates)),
    )
    steps = d.chapter("constraints").steps
    written = [e for s in steps if s.kind in ("rows", "gamma") for e in s.equations]
    assert max(term_count(e.right.terms) for e in written) <= 20, (
        "lines that one reads; γ has entries of 200 terms"
    )
    values, at = filled(written, values_of(d, q, v)), Values(d, q, v)
    for i, r in enumerate(d.rows):
        assert values.get(f"gamma_{i + 1}", values.get(f"gamma_{i + 1}_2", 0.0)) == pytest.approx(
            at.of(r.gamma), abs=1e-12
        )
    by_place = {
        e.left.terms[0].factors[0].subscript: values[e.left.terms[0].factors[0].name]
        for e in written
        if e.left.terms[0].factors[0].subscript.startswith("q ")
    }
    assert by_place and all(
        by_place[f"q {i + 1},{k + 1}"] == pytest.approx(at.of(p), abs=1e-12)
        for i, r in enumerate(d.rows)
        for k, p in enumerate(r.jacobian)
        if p
    )


def test_a_part_without_its_sign_is_seen(stewart, monkeypatch):
    own = Parts._product

    def unsigned(self, factors, terms):
        p = own(self, factors, terms)
        return named_terms.Product(abs(p.coefficient), p.factors, p.part)

    monkeypatch.setattr(Parts, "_product", unsigned)
    read = whole(stewart.ring, stewart.rows[0].gamma)
    parts = Parts([read[0]], next(iter(orders(stewart.ring))))
    assert together(stewart.ring, parts, parts.sums[0], read[1]) != stewart.rows[0].gamma


@pytest.mark.slow
def test_no_step_is_longer_than_is_shown(stewart):
    from mechstudio.model.equations.lecture import CHAPTER_TITLES
    from mechstudio.symbolic.printers.typst.typst_steps import MOST

    for d in (stewart, sample("six_axis_arm")):
        for key in CHAPTER_TITLES:
            steps = d.chapter(key).steps
            assert len({s.key for s in steps}) == len(steps)
            for s in steps:
                sizes = [term_count(e.left.terms) + term_count(e.right.terms) for e in s.equations]
                assert sum(sizes) <= MOST and all(b.term_count <= MOST for b in s.blocks), (
                    key,
                    s.key,
                )


def names_in(terms):
    for t in terms:
        for f in t.factors:
            if isinstance(f, Group):
                yield from names_in(f.terms)
            elif isinstance(f, Name) and f.letter == "zeta":
                yield f.name


def test_names_are_defined_before_they_are_used(stewart):
    known = set()
    for s in stewart.chapter("constraints").steps:
        known = set() if s.depth == 0 else known
        for e in s.equations:
            assert set(names_in(e.right.terms)) <= known, s.key
            known |= set(names_in(e.left.terms))
