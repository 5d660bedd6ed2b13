"""The samples as tests of derivations want them."""

from collections.abc import Collection, Iterable
from pathlib import Path

import msgspec
import pytest

from mechstudio.engine.constraints.tracks import track_tables
from mechstudio.files import project_file
from mechstudio.model.project import Project

# closed forms of more terms than anybody reads; test_size_guard.py holds that this is reported
TOO_LARGE = ("delta_robot",)
# chains of so many pins that they are reported as too large and take minutes to prove all the
# same
CHAINS = ("capstan_of_links",)
SAMPLES = [
    path
    for path in sorted(Path(__file__).parents[2].joinpath("samples").glob("*.mech"))
    if path.stem not in (*TOO_LARGE, *CHAINS)
]

# few bodies: what a panel has typeset within seconds
SMALL = [p for p in SAMPLES if len(project_file.load(p).project.mechanism.bodies) <= 4]

# bodies that nothing ties together: of their equations, all alike, one or two stand for the rest
# where a test takes seconds
ALIKE = (
    "ball_mill",
    "box_on_incline",
    "dominoes",
    "newtons_cradle",
    "rattleback",
    "rolling_and_sliding_ball",
)

# how far a random state lies from the drawn one [m, rad], so that loops close, and that masses on
# one slide do not pass each other
SPREAD = {
    "andrews_squeezer": 0.01,
    "chain_of_masses": 0.03,
    "stewart_platform": 0.02,
    "stiff_spring": 0.03,
    "vibration_absorber": 0.03,
    "walking_linkage": 0.01,
}


def spread_of(path: Path) -> float:
    """Distance of a random state of a sample from the drawn one [m, rad]."""
    return SPREAD.get(path.stem, 0.3)


def marked(paths: Iterable[Path], long: Collection[str] = ()) -> list:
    """Parameters of a test; those whose names are in `long`, and those that are alike, only run
    where slow tests do.
    """
    return [
        pytest.param(p, id=p.stem, marks=pytest.mark.slow if p.stem in (*long, *ALIKE) else ())
        for p in paths
    ]


def simulated(project: Project) -> Project:
    """The project without its contacts and stops, which no export simulates."""
    m = project.mechanism
    joints = {id: msgspec.structs.replace(j, limits=()) for id, j in m.joints.items()}
    contacts = msgspec.structs.replace(m.contacts, enabled=False)
    free = msgspec.structs.replace(m, joints=joints, contacts=contacts)
    return msgspec.structs.replace(project, mechanism=free)


def with_curves(derivation):
    """The derivation with the numbers of its curves."""
    derivation.curves |= {
        id: table.at for id, table in track_tables(derivation.plan.mechanism).items()
    }
    return derivation
