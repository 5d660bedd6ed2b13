"""Symbols that a law prescribes have no number in generated code: code that needs one refuses, or
its result is not a number, until it is given.
"""

import io
import json
import re
import zipfile

import msgspec
import numpy as np
import pytest

import mechstudio as ms
from mechstudio.model.equations.terms import Known
from mechstudio.model.mechanism import Force, Law
from mechstudio.model.quantity import Quantity
from mechstudio.symbolic.exports.simulation.motion import motion_of
from mechstudio.symbolic.methods import law_readings
from mechstudio.symbolic.printers import python
from tests.symbolic.exports.test_exports import (
    Library,
    derived,
    needs_compiler,
    run_notebook,
    sample,
)
from tests.symbolic.exports.test_motion_laws import cart

F = "F_shaking_force"  # the sample has a parameter F
REFUSAL = f"A law prescribes {F}: give the value at the instant"


def of_forces():
    """A machine that is shaken; its stored force is zero."""
    d = derived(sample("vibration_absorber"))
    assert d.values[F] == 0.0
    return d


def of_drives():
    """A driven pendulum on a cart."""
    m, _, _, rail, _ = cart()
    m.drive("shaker", rail, position="20 mm*sin(7 rad/s*t)")
    return ms.derive(m.project(), coordinates="joint")


def test_python_computes_without_what_it_does_not_need_and_refuses_the_rest():
    code = {}
    exec(of_forces().export("python"), code)
    assert code["PARAMETERS"][F] is None
    assert code["equations"]([0.1, 0.2], [0, 0])[0].tolist() == [[10.0, 0.0], [0.0, 2.0]]
    with pytest.raises(ValueError, match=REFUSAL):
        code["forces"]([0.1, 0.2], [0, 0])
    assert code["forces"]([0.1, 0.2], [0, 0], 0.3, {F: 7.0}).tolist() == [7.0, 0.0]


def test_rows_of_drives_refuse_in_python():
    d = of_drives()
    code = {}
    exec(d.export("python"), code)
    with pytest.raises(ValueError, match="A law prescribes x_d, a_d: give"):
        code["equations"]([0, 0], [0, 0])
    C, _, gamma = code["equations"]([0.3, 0], [0, 0], 0, {"x_d": 0.1, "a_d": 5.0})[3:]
    assert pytest.approx([0.2]) == C and gamma == pytest.approx([5.0])
    with pytest.raises(ValueError, match="A law prescribes x_d"):
        d.function()([0, 0], [0, 0])


def test_the_refusal_is_what_the_tests_see(monkeypatch):
    """Without the mark of the law the code computes with the stored zero."""
    d = of_forces()
    plain = tuple(msgspec.structs.replace(k, prescribed=False) for k in d.equations.parameters)
    code = {}
    exec(python.source(msgspec.structs.replace(d.equations, parameters=plain)), code)
    assert code["forces"]([0.1, 0.2], [0, 0]).tolist() == [0.0, 0.0]


@needs_compiler
def test_c_has_no_number_by_default(tmp_path):
    d = of_forces()
    library = Library(d.export("c"), tmp_path, 2, 0)
    q = v = np.zeros(2)
    assert np.isnan(library.forces(q, v, None)[0])
    assert not any(np.isnan(x).any() for x in library.equations(q, v, None))
    given = [7.0 if k == F else x for k, x in d.values.items()]
    assert library.forces(q, v, given).tolist() == [7.0, 0.0]


def test_scripts_of_sympy_and_json_leave_it_open():
    d, code = of_forces(), {}
    exec(d.export("sympy"), code)
    symbol = next(x for x in code["parameters"] if str(x) == F)
    assert symbol not in code["values"] and code["tau"].subs(code["values"])[0] == symbol
    assert json.loads(json.dumps(d.json()))["values"][F] is None


@pytest.mark.parametrize("name", ["vibration_absorber", "six_axis_arm", "robot_vacuum"])
def test_what_laws_prescribe_is_marked(name):
    d = derived(sample(name))
    known: dict[str, Known] = {k.name.name: k for k in d.code.parameters}
    followed = {x for c in motion_of(d).courses for x, _ in c.symbols} & known.keys()
    assert followed and all(known[x].prescribed for x in followed)


def of_held_laws(stored=0.7):
    """A spatial four-bar whose motor reads an angle of the ball that closes it."""
    project = ms.load(sample("spatial_four_bar"))
    law = Law("expression", text="2 N*m*cos(q_C_theta) + 0.1 N*m")
    motor = Force(
        "f", "motor", "motor_torque", {"torque": Quantity(stored)}, joint="A", laws={"torque": law}
    )
    mechanism = msgspec.structs.replace(project.mechanism, forces={"f": motor}, drives={})
    return ms.derive(msgspec.structs.replace(project, mechanism=mechanism), coordinates="joint")


@pytest.mark.slow
def test_what_is_held_is_the_law_at_the_start(monkeypatch):
    """Programs that cannot follow a law hold it where it begins, not at the number beside it."""
    monkeypatch.setattr(law_readings, "closing_coordinate", lambda *_: None)  # as of a flat face
    d = of_held_laws()
    motion = motion_of(d)
    first = motion.held["T"]
    live = d.live().at(motion.q, motion.v)
    assert first == pytest.approx(live.values["T"], abs=1e-12) and abs(first - 0.7) > 1.0
    assert "hold these numbers of forces as they are at the start" in motion.remark
    assert f'Real T(unit = "N.m") = {first!r} ' in d.export("modelica")
    with zipfile.ZipFile(io.BytesIO(d.export("fmu"))) as archive:
        described = archive.read("modelDescription.xml").decode()
        assert re.search(r'name="T".* start="(\S+)"', described)[1] == repr(first)
        numbers = re.search(r"start_p\[.*", archive.read("sources/model.c").decode())[0]
        assert repr(first) in numbers and "0.7," not in numbers
    _, code, _ = run_notebook(d.export("notebook"), monkeypatch, 0.01)
    assert code["parameters_at"](0.0, np.zeros(3), np.zeros(3))["T"] == first
