"""Random spatial mechanisms of all joint types, open and with loops: tree coordinates and absolute
coordinates tell the same motion.
"""

import numpy as np
import pytest

from mechstudio.engine.integration.options import RunOptions
from mechstudio.engine.run import run
from mechstudio.engine.system.system import compile_system
from mechstudio.model.mechanism import GROUND
from mechstudio.model.types.joints import JOINT_TYPES
from tests.engine.pairs import joint_arguments
from tests.mechanisms import Builder

LOOPS = (
    "spherical",
    "point_on_line",
    "distance",
    "universal",
    "planar",
    "cylindrical",
    "constant_velocity",
    "screw",
    "point_on_plane",
    "point_on_curve",
    "flat_follower",
    "knife_edge",
    "free",
    "rolling_disc",
)


def attitude(random):
    q = random.normal(size=4)
    return tuple(q / np.linalg.norm(q))


def mechanism(seed):
    """One to six bodies, each on a random joint or none, and up to two joints that close loops."""
    random, types, b = np.random.default_rng(seed), list(JOINT_TYPES), Builder()
    count = int(random.integers(1, 7))
    place = lambda: tuple(random.uniform(-1, 1, 3))

    def add(name, type, first, second):
        at = place()
        b.joint(
            name,
            first,
            second,
            at,
            **(
                joint_arguments(type, at, attitude(random))
                | ({"at_b": place(), "parameters": {}} if type == "distance" else {})
            ),
        )

    for i in range(count):
        b.body(
            f"b{i}",
            place(),
            attitude(random),
            random.uniform(0.5, 2),
            (*random.uniform(0.025, 0.05, 3), *random.uniform(-0.002, 0.002, 3)),
        )
        if i == 0 or random.random() < 0.9:
            other = GROUND if i == 0 or random.random() < 0.3 else f"b{random.integers(i)}"
            add(
                f"j{i}",
                types[random.integers(int(i == 0), len(types))],
                *((other, f"b{i}") if random.random() < 0.5 else (f"b{i}", other)),
            )
    for n in range(random.integers(0, 3)):
        x, y = int(random.integers(count)), int(random.integers(-1, count))
        if x != y:
            add(f"l{n}", LOOPS[random.integers(len(LOOPS))], f"b{x}", GROUND if y < 0 else f"b{y}")
    return b.mechanism


@pytest.mark.parametrize("block", range(4))
@pytest.mark.thinned(2)
def test_both_coordinates_tell_the_same_motion(block):
    for seed in range(10 * block, 10 * block + 10):
        runs, drawn = [], mechanism(seed)
        types = {j.type for j in drawn.joints.values()}
        # a disc must not fall flat, and where the pieces of a curve meet the integrator loses its
        # order
        duration, within = (
            0.1 if "rolling_disc" in types else 0.5,
            1000.0 if types & {"point_on_curve", "flat_follower"} else 1.0,
        )
        for coordinates in ("joint", "absolute"):
            system = compile_system(drawn, coordinates=coordinates)
            if len(system.tree.ends) > 1:
                # a body between two chains without mass: too badly conditioned to be compared
                break
            runs.append(
                np.concatenate(
                    list(run(system, RunOptions(duration, 0.1 * duration, tolerance=1e-10)))
                )
            )
            assert (
                system.statistics.constraint_error_m < 1e-11
                and (system.statistics.energy_error or 0.0) < 1e-6 * within
            ), seed
        if len(runs) < 2:
            continue
        layout = system.layout
        assert runs[0][:, layout.poses] == pytest.approx(
            runs[1][:, layout.poses], abs=1e-7 * within
        ), seed
        assert runs[0][:, layout.coordinates] == pytest.approx(
            runs[1][:, layout.coordinates], abs=1e-5 * within
        ), seed


def test_every_type_occurs():
    drawn = [mechanism(seed) for seed in range(80)]
    assert {j.type for m in drawn for j in m.joints.values()} == set(JOINT_TYPES)
    assert {j.type for m in drawn for id, j in m.joints.items() if id.startswith("l")} >= set(
        LOOPS
    ) - {"distance", "knife_edge"}
