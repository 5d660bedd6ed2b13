"""Samples and their runs, for tests that hold them against closed forms."""

import functools
from pathlib import Path

import numpy as np

import mechstudio as ms
from mechstudio.files import project_file
from mechstudio.model.edits.elements import set_quantity
from mechstudio.model.geometry.rotation import matrix

ROOT = Path(__file__).parents[2]


def load(name):
    return project_file.load(ROOT / "samples" / f"{name}.mech").project


@functools.cache
def run(name, **options):
    """The run of a sample as it ships, or with other options of the run, made once."""
    return ms.simulate(load(name), **options)


def changed(name, **numbers):
    """A sample with parameters typed again."""
    project = load(name)
    for parameter, text in numbers.items():
        project = set_quantity(project, parameter, ("value",), text)
    return project


def value(result, name):
    return result.project.parameters[name].value.value


def attitudes(result, body):
    """(samples, 3, 3), body axes to W."""
    return np.array([matrix(tuple(q)) for q in result.poses[:, result.body_index(body), 3:]])


def flat(result, body, point=""):
    """Path of a point of a body in the front plane (samples,), x + i z [m]."""
    local = result.project.mechanism.bodies[body].point(point) if point else (0, 0, 0)
    p = result.position(body, local)
    return p[:, 0] + 1j * p[:, 2]


def turned(result, joint):
    """Change of the first coordinate of a joint since the start (samples,)."""
    q = result.joint_coordinates[joint][:, 0]
    return q - q[0]
