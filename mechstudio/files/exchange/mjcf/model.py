"""A model as it is being written: its elements by section, names and notes."""

import xml.etree.ElementTree as ET
from collections.abc import Mapping

from mechstudio.files.exchange.chains import Step, chain, drawn_poses
from mechstudio.files.exchange.xml_text import add, unused
from mechstudio.model.geometry.rotation import Pose, compose
from mechstudio.model.mechanism import GROUND, Frame, Joint, Mechanism
from mechstudio.model.tree import Branch

WORLD = "world"


class Held:
    """A joint that the model has.  steps: its motions in the order of the body; body: that carries
    them, by name in the model.
    """

    def __init__(self, joint: Joint, body: str, steps: list[Step]) -> None:
        self.joint, self.body, self.steps = joint, body, steps

    def name(self, coordinate: int) -> str:
        """Name of the joint element of a coordinate, "" for one of a ball."""
        step = next(
            (s for s in self.steps if s.coordinate == coordinate and s.kind != "ball"), None
        )
        return "" if step is None else self.step_name(step)

    def step_name(self, step: Step) -> str:
        """Name of the joint element of a step."""
        if len(self.steps) == 1:
            return self.joint.id
        return f"{self.joint.id}_{self.steps.index(step)}"


class Model:
    """A MuJoCo model of a mechanism at poses of its bodies.

    root: the element of the file; sections by name.  held: joints that it has, by id.  notes: what
    was left out or changed.
    """

    def __init__(self, mechanism: Mechanism, poses: Mapping[str, Pose] | None) -> None:
        self.mechanism = mechanism
        self.poses = drawn_poses(mechanism, poses)
        self.root = ET.Element("mujoco")
        self.held: dict[str, Held] = {}
        self.notes: list[str] = []
        self.bodies: dict[str, ET.Element] = {}
        self._sections: dict[str, ET.Element] = {}
        self._sites = 0
        self._world = unused(WORLD, {WORLD, *mechanism.bodies})  # a body of that name

    def section(self, name: str) -> ET.Element:
        """A section of the file, made when it is first requested."""
        if name not in self._sections:
            self._sections[name] = add(self.root, name)
        return self._sections[name]

    def name(self, body: str) -> str:
        """Name of a body of the mechanism in the model."""
        if body == GROUND:
            return WORLD
        return body if body != WORLD else self._world

    def site(self, body: str, pose: Pose, stem: str = "site") -> str:
        """Name of a new site on a body of the mechanism or of the model, at a pose in its axes."""
        self._sites += 1
        name = f"{stem}_{self._sites}"
        q = None if pose[1] == (1.0, 0.0, 0.0, 0.0) else pose[1]
        add(self.bodies[body], "site", name=name, pos=pose[0], quat=q)
        return name

    def frame_site(self, frame: Frame, stem: str = "site") -> str:
        """A site at a frame."""
        at = self.mechanism.frame_in_body(frame)
        if frame.body == GROUND:  # whose shapes stand on ground's own placement
            at = compose(self.poses[GROUND], at)
        return self.site(frame.body, at, stem)

    def steps(self, branch: Branch) -> list[Step]:
        """Motions of the joint of a branch."""
        joint = self.mechanism.joints[branch.joint]
        return chain(self.mechanism, joint, branch.reversed, self.poses)

    def say(self, sentence: str) -> None:
        """A note, once."""
        if sentence not in self.notes:
            self.notes.append(sentence)
