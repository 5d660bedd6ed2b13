"""URDF of a project: its tree of bodies as links and joints, meshes beside it, and notes on what it
has not.

A joint's value is our coordinate.  The frame of a link stands at the end of the joint that carries
it, as URDF wants it, and all joints are zero where their frames coincide.
"""

import xml.etree.ElementTree as ET

from mechstudio.files.exchange.chains import (
    Step,
    carrying_tree,
    chain,
    drawn_poses,
    inverse,
    is_chain,
)
from mechstudio.files.exchange.meshes.stl import stl_bytes
from mechstudio.files.exchange.motion import Motion, Written
from mechstudio.files.exchange.palette import color_of
from mechstudio.files.exchange.start_numbers import start_numbers, unknown_numbers
from mechstudio.files.exchange.surfaces import surface
from mechstudio.files.exchange.xml_text import add, unused, written
from mechstudio.model.geometry.forms import Ball, Block, Cylinder, Form
from mechstudio.model.geometry.rotation import (
    IDENTITY,
    Pose,
    Triple,
    compose,
    to_angles,
    transform,
)
from mechstudio.model.joints.coordinate_readings import thread_constant
from mechstudio.model.mass_properties import mass_properties, rotated
from mechstudio.model.mechanism import GROUND, Body, Joint, Limit
from mechstudio.model.project import Project
from mechstudio.model.quantity import values
from mechstudio.model.tree import Branch
from mechstudio.model.types import force_laws
from mechstudio.model.types.couplings import COUPLING_TYPES
from mechstudio.model.types.forces import FORCE_TYPES, JOINT
from mechstudio.model.types.joints import BALL, JOINT_TYPES, SLIDE
from mechstudio.translation import comma, localised, tr

WORLD = "world"
FAR = 1e6  # what stands where there is no limit
USUAL, NEAR = 9.81, 0.01  # gravity of programs that read URDF [m/s^2], part by which theirs differ
AXES: tuple[Triple, Triple, Triple] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def urdf_text(project: Project, motion: Motion | None = None) -> Written:
    """The file, its meshes, and the notes."""
    robot = _Robot(project, motion)
    robot.write()
    head = [tr("Written by mechstudio."), *robot.notes]
    return Written(written(robot.root, head), robot.notes, robot.beside)


class _Robot:
    """Writer of one robot.  joints: name of the URDF joint of each (joint, coordinate)."""

    def __init__(self, project: Project, motion: Motion | None) -> None:
        self.mechanism = project.mechanism
        self.poses = drawn_poses(
            self.mechanism, None if motion is None else motion.start_poses(self.mechanism)
        )
        self.root = ET.Element("robot", {"name": project.lesson.title or "mechanism"})
        self.notes: list[str] = []
        self.beside: dict[str, bytes] = {}
        self._frames: dict[str, Pose] = {GROUND: ((0.0, 0.0, 0.0), IDENTITY)}
        self._joints: dict[tuple[str, int], ET.Element] = {}
        self._values: dict[tuple[str, int], float] = {}
        self._links, self._joint_names = {WORLD, *self.mechanism.bodies}, {*self.mechanism.joints}
        self._world = unused(WORLD, self._links)  # a body of that name

    def write(self) -> None:
        """All links, joints and notes."""
        m = self.mechanism
        loaded = {f.joint for f in m.forces.values()} | {
            e.joint for c in m.couplings.values() for e in c.ends
        }
        tree = carrying_tree(m, (), loaded)
        self._link(WORLD, m.ground, ((0.0, 0.0, 0.0), IDENTITY), True)
        for branch in tree.branches:
            self._branch(branch)
        for id in tree.closing:
            self._closing(m.joints[id])
        for force in m.forces.values():
            self._force(force.id)
        for coupling in m.couplings.values():
            self._coupling(coupling.id)
        for drive in m.drives.values():
            if drive.enabled:
                self.notes.append(
                    tr(
                        "Drive {name} was left out: URDF holds no motion.",
                        name=drive.name or drive.id,
                    )
                )
        if m.contacts.enabled:
            self.notes.append(
                tr(
                    "Contacts: shapes became collision elements; friction, stiffness, rebound, "
                    "adhesion and belts were left out."
                )
            )
            if m.contacts.floor is not None:
                self.notes.append(tr("The floor was left out: URDF has none."))
        drawn = {k: v for k, v in self._values.items() if abs(v) > 1e-12}
        if drawn:
            row = comma().join(
                f"{self._joints[k].get('name')} = {localised(f'{v:.9g}')}" for k, v in drawn.items()
            )
            self.notes.append(
                tr("URDF begins with all joints at zero; as drawn they stand at {row}.", row=row)
            )
        if any(j.rates for j in m.joints.values()) or any(
            b.initial_velocity for b in m.bodies.values()
        ):
            self.notes.append(tr("Velocities at the start were left out: URDF has none."))
        x, y, z = values(m.gravity)
        if max(abs(x), abs(y), abs(z + USUAL)) > NEAR * USUAL:
            self.notes.append(
                tr(
                    "Gravity was left out: URDF has none, and programs take {usual} m/s² along -z.",
                    usual=localised(f"{USUAL:g}"),
                )
            )

    # links

    def _name(self, body: str) -> str:
        return WORLD if body == GROUND else body if body != WORLD else self._world

    def _link(self, name: str, body: Body, frame: Pose, is_ground: bool = False) -> None:
        """A link whose frame stands at a pose in its body's axes."""
        link = add(self.root, "link", name=name)
        back = inverse(frame)
        if not is_ground:
            known = mass_properties(body)
            if known.mass > 0.0:
                inertial = add(link, "inertial")
                self._origin(inertial, (transform(back, known.center), IDENTITY))
                add(inertial, "mass", value=known.mass)
                I = rotated(known.inertia, back[1])
                add(
                    inertial,
                    "inertia",
                    ixx=I[0][0],
                    ixy=I[0][1],
                    ixz=I[0][2],
                    iyy=I[1][1],
                    iyz=I[1][2],
                    izz=I[2][2],
                )
        outer = compose(back, body.placement.pose) if is_ground else back
        for k, shape in enumerate(body.shapes, 1):
            pose = compose(outer, shape.placement.pose)
            geometry = self._geometry(shape.form, f"{name}_{k}")
            if geometry is None:
                self.notes.append(
                    tr("Body {name}: a shape without volume was left out.", name=body.name)
                )
                continue
            visual = add(link, "visual")
            self._origin(visual, pose)
            visual.append(geometry)
            material = add(visual, "material", name=f"{name}_{k}")
            add(material, "color", rgba=(*color_of(body, shape), 1.0))
            if body.touches:
                collision = add(link, "collision")
                self._origin(collision, pose)
                collision.append(geometry)

    def _geometry(self, form: Form, name: str) -> ET.Element | None:
        geometry = ET.Element("geometry")
        if isinstance(form, Block):
            add(geometry, "box", size=(form.x, form.y, form.z))
        elif isinstance(form, Ball):
            add(geometry, "sphere", radius=form.radius)
        elif isinstance(form, Cylinder):
            add(geometry, "cylinder", radius=form.radius, length=form.height)
        else:
            points, triangles = surface(form)
            if len(points) < 4 or not len(triangles):
                return None
            file = f"{name}.stl"
            self.beside[file] = stl_bytes(points, triangles)
            add(geometry, "mesh", filename=f"{{folder}}/{file}")
        return geometry

    def _origin(self, parent: ET.Element, pose: Pose) -> None:
        yaw, pitch, roll = to_angles(pose[1])
        add(parent, "origin", xyz=pose[0], rpy=(roll, pitch, yaw))

    # joints

    def _branch(self, branch: Branch) -> None:
        """A body with the joints that carry it, one for each freedom."""
        m = self.mechanism
        body, name = m.bodies[branch.body], self._name(branch.body)
        if not branch.joint:
            self._frames[branch.body] = ((0.0, 0.0, 0.0), IDENTITY)
            self._link(name, body, self._frames[branch.body])
            joint = add(
                self.root, "joint", name=unused(f"{name}_free", self._joint_names), type="floating"
            )
            self._ends(joint, WORLD, name, self.poses[branch.body])
            return
        joint = m.joints[branch.joint]
        begin, end = joint.frame_a, joint.frame_b
        if branch.reversed:
            begin, end = end, begin
        at = m.frame_in_body(begin)
        if branch.parent == GROUND:
            at = compose(self.poses[GROUND], at)
        origin = compose(inverse(self._frames[branch.parent]), at)
        self._frames[branch.body] = m.frame_in_body(end)
        motions = self._motions(joint, branch.reversed)
        before = self._name(branch.parent)
        for k, (kind, axis, coordinate, value) in enumerate(
            motions or [("fixed", AXES[0], -1, 0.0)]
        ):
            last = k >= len(motions) - 1
            after = name if last else unused(f"{joint.id}_{k + 1}", self._links)
            if last:
                self._link(name, body, self._frames[branch.body])
            else:
                add(self.root, "link", name=after)
            element = add(
                self.root,
                "joint",
                name=(
                    joint.id
                    if len(motions) < 2
                    else unused(f"{joint.id}_{k + 1}_joint", self._joint_names)
                ),
                type=kind,
            )
            self._ends(element, before, after, origin)
            if kind != "fixed":
                add(element, "axis", xyz=axis)
                self._limit(element, joint, coordinate)
            if coordinate >= 0:
                self._joints[joint.id, coordinate] = element
                self._values[joint.id, coordinate] = value
            elif kind != "fixed":  # the slide of a screw follows its turn
                add(
                    element,
                    "mimic",
                    joint=self._joints[joint.id, 0].get("name"),
                    multiplier=joint.parameters["pitch"].value / 6.283185307179586,
                    offset=thread_constant(joint, value, self._values[joint.id, 0]),
                )
            before, origin = after, ((0.0, 0.0, 0.0), IDENTITY)
        if len(motions) > 1:
            self.notes.append(
                tr(
                    "Joint {name}: the {noun} became {count} joints with links without mass.",
                    name=joint.name or joint.id,
                    noun=tr(JOINT_TYPES[joint.type].noun),
                    count=len(motions),
                )
            )

    def _motions(self, joint: Joint, reversed: bool) -> list[tuple[str, Triple, int, float]]:
        """Type, axis, coordinate and drawn value of the joints that a chain becomes."""
        steps = chain(self.mechanism, joint, False, self.poses)
        out: list[tuple[str, Triple, int, float]] = []
        for step, axis in zip(steps, self._axes(joint)):
            if step.kind == BALL:
                for k, e in enumerate(AXES[::-1]):
                    out.append(("continuous", e, step.coordinate + k, 0.0))
            else:
                kind = "prismatic" if step.kind == SLIDE else "continuous"
                out.append((kind, axis, step.coordinate, step.value))
        values = self._ball_values(joint, steps)
        out = [(t, e, c, values.get(c, v)) for t, e, c, v in out]
        if reversed:
            out = [(t, (-e[0], -e[1], -e[2]), c, v) for t, e, c, v in out[::-1]]
        if joint.type == "screw" and reversed:
            out = out[::-1]  # the turn first, which the slide follows
        return out

    def _axes(self, joint: Joint) -> list[Triple]:
        """Axis of each step in the joint's own frame."""
        out: list[Triple] = []
        for motion, axis in JOINT_TYPES[joint.type].motions:
            out += [AXES[axis]] * (2 if motion == "helix" else 1)
        return out

    def _ball_values(self, joint: Joint, steps: list[Step]) -> dict[int, float]:
        from mechstudio.files.exchange.chains import coordinate_values

        first = next((s.coordinate for s in steps if s.kind == BALL), None)
        if first is None:
            return {}
        values = coordinate_values(self.mechanism, joint, self.poses)
        return {k: values[k] for k in range(first, first + 3)}

    def _ends(self, joint: ET.Element, parent: str, child: str, origin: Pose) -> None:
        add(joint, "parent", link=parent)
        add(joint, "child", link=child)
        self._origin(joint, origin)

    def _limit(self, element: ET.Element, joint: Joint, coordinate: int) -> None:
        limit = next((x for x in joint.limits if x.coordinate == coordinate), None)
        lower = limit.lower.value if limit is not None and limit.lower is not None else -FAR
        upper = limit.upper.value if limit is not None and limit.upper is not None else FAR
        if limit is not None:
            self._say_of_stop(joint, limit)
        if element.get("type") == "continuous":
            if limit is None:
                return
            element.set("type", "revolute")
        add(element, "limit", lower=lower, upper=upper, effort=FAR, velocity=FAR)

    def _say_of_stop(self, joint: Joint, limit: Limit) -> None:
        """Note of what URDF does not hold of a stop."""
        name = joint.name or joint.id
        if limit.stiffness is not None:
            self.notes.append(
                tr("Stop of {name}: its spring and damper were left out: URDF has none.", name=name)
            )
        elif limit.restitution.value:
            self.notes.append(
                tr("Stop of {name}: its rebound was left out: URDF has none.", name=name)
            )

    def _closing(self, joint: Joint) -> None:
        if joint.type == "free":
            return
        why = (
            tr("it closes a loop, and a URDF is a tree: the loop is open there")
            if is_chain(joint.type)
            else tr("URDF has no {noun}", noun=tr(JOINT_TYPES[joint.type].noun))
        )
        self.notes.append(
            tr("Joint {name} was left out: {why}.", name=joint.name or joint.id, why=why)
        )

    # forces

    def _force(self, id: str) -> None:
        force = self.mechanism.forces[id]
        name = force.name or force.id
        kind = FORCE_TYPES.get(force.type)
        element = self._joints.get((force.joint, force.coordinate))
        if kind is None or kind.attachment != JOINT or element is None:
            self.notes.append(tr("Force {name} was left out: URDF has none.", name=name))
            return
        dynamics = element.find("dynamics")
        if kind.law in (force_laws.damper, force_laws.friction):
            found = start_numbers(self.mechanism, force, self.poses)
            p = found.numbers
            if force.laws:
                self.notes.append(
                    tr(
                        "{kind} {name} follows a law, which URDF cannot hold; the numbers of the "
                        "start stay.",
                        kind=tr(kind.label),
                        name=name,
                    )
                )
                self.notes += unknown_numbers(force, found)
            if dynamics is None:
                dynamics = add(element, "dynamics", damping=0.0, friction=0.0)
            self._more(dynamics, "damping", p["damping"])
            if kind.law is force_laws.friction:
                self._more(dynamics, "friction", p.get("torque", p.get("force", 0.0)))
                if p.get("speed"):
                    self.notes.append(
                        tr(
                            "Friction {name}: URDF's friction is not smoothed over a speed.",
                            name=name,
                        )
                    )
        elif kind.motor:
            transmission = add(self.root, "transmission", name=f"{force.id}_transmission")
            add(transmission, "type").text = "transmission_interface/SimpleTransmission"
            joint = add(transmission, "joint", name=element.get("name"))
            add(joint, "hardwareInterface").text = "hardware_interface/EffortJointInterface"
            actuator = add(transmission, "actuator", name=force.id)
            add(actuator, "mechanicalReduction").text = "1"
            self.notes.append(
                tr(
                    "Motor {name} became a transmission; what it does was left out, since URDF "
                    "cannot hold it.",
                    name=name,
                )
            )
        else:
            self.notes.append(tr("Spring {name} was left out: URDF has none.", name=name))

    def _more(self, element: ET.Element, name: str, value: float) -> None:
        element.set(name, repr(float(element.get(name, "0")) + value))

    def _coupling(self, id: str) -> None:
        coupling = self.mechanism.couplings[id]
        kind = COUPLING_TYPES[coupling.type]
        who = f"{tr(kind.label)} {coupling.name or coupling.id}"
        ends = [(e.joint, e.coordinate) for e in coupling.ends]
        if kind.law or len(ends) != 2 or not all(e in self._joints for e in ends):
            self.notes.append(tr("{who} was left out: URDF cannot hold it.", who=who))
            return
        factors = kind.factors({k: q.value for k, q in coupling.parameters.items()})
        (one, a), (two, b) = zip(ends, factors)
        if self._joints[one].find("mimic") is not None:
            one, a, two, b = two, b, one, a
        if self._joints[one].find("mimic") is not None or not a:
            self.notes.append(tr("{who} was left out: both joints follow others.", who=who))
            return
        factor = -b / a
        add(
            self._joints[one],
            "mimic",
            joint=self._joints[two].get("name"),
            multiplier=factor,
            offset=self._values[one] - factor * self._values[two],
        )
