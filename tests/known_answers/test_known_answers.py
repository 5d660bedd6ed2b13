"""Every row of the table of known answers, and that the table attacks all that it should."""

from collections import Counter

import msgspec
import numpy as np
import pytest

from mechstudio.model.types.forces import FORCE_TYPES
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.model.types.laws import LAW_TYPES
from mechstudio.model.types.methods import INTEGRATOR_TYPES
from tests.known_answers.rows import distance, error
from tests.known_answers.table import ROWS


@pytest.mark.parametrize(
    "row",
    [pytest.param(row, id=row.name, marks=[pytest.mark.slow] if row.slow else []) for row in ROWS],
)
def test_known_answer(row):
    off = error(row)
    # "not (off < bound)" would let NaN pass the other way round
    assert off < row.bound, (
        f"{row.name}: {off:.2e} of the answer, more than {row.bound:.0e} ({row.source})"
    )


def attacked(row):
    """Types that a row's project and run use, each once."""
    project = row.build()
    m = project.mechanism
    laws = (
        [law for force in m.forces.values() for law in force.laws.values()]
        + [d.law for d in m.drives.values()]
        + [c.law for c in m.couplings.values() if c.law]
    )
    return (
        {j.type for j in m.joints.values()}
        | {f.type for f in m.forces.values()}
        | {law.type for law in laws}
        | {row.options.get("integrator", project.settings.integrator)}
    )


def test_the_table_attacks_every_type_three_times():
    uses = Counter(type for row in ROWS for type in attacked(row))
    few = {
        key: uses[key]
        for kinds in (JOINT_TYPES, FORCE_TYPES, LAW_TYPES, INTEGRATOR_TYPES)
        for key in kinds
        if uses[key] < 3
    }
    assert not few


def test_the_table_is_long_and_its_names_differ():
    names = [row.name for row in ROWS]
    assert len(names) >= 200 and len(set(names)) == len(names)
    assert all(row.source and 0.0 < row.bound <= 0.02 for row in ROWS)


@pytest.mark.parametrize(
    "fault", [lambda t: 1.01 * t, lambda t: t + 0.01, lambda t: np.full_like(t, np.nan)]
)
def test_a_wrong_answer_is_seen(fault):
    row = next(row for row in ROWS if row.name == "motor force, usual")
    known = row.answer
    assert error(row) < row.bound
    assert not error(msgspec.structs.replace(row, answer=lambda t: fault(known(t)))) < row.bound
    assert distance(row, fault(known(np.linspace(0, 1, 5))), np.linspace(0, 1, 5)) > row.bound
