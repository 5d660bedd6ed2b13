"""Layout of one sample of a run in a row of float64: the one layout that engine, shared memory,
recording and plots read.
"""

from functools import cached_property

import msgspec

from mechstudio.model.joints.touching import recorded_pairs
from mechstudio.model.mechanism import Mechanism
from mechstudio.model.types.joints import JOINT_TYPES

KINETIC, POTENTIAL, WORK, BALANCE = range(4)  # within `energy`
POSITION_ERROR, VELOCITY_ERROR, GAP = range(3)  # within `constraint`
COUNT, OVERLAP, RESIDUAL, ITERATIONS, FRICTION_WORK, IMPACT_WORK, DRIVE_WORK, LOAD_WORK, PAIR0 = (
    range(9)
)  # within `contact`
# share of the potential energy that a kinetic energy must exceed to be more than rounding
REST = 1e-13


class SampleLayout(msgspec.Struct, frozen=True, dict=True):
    """Columns of a sample: time | poses | velocities | joint coordinates | energy | constraint |
    momentum | contact.

    time [s].  poses, 7 per body in file order without ground: body-frame origin in W [m], then
    quaternion w x y z. velocities, 6 per body: that origin's velocity in W [m/s], then the angular
    velocity in body axes [rad/s]. joint coordinates, `dofs[k]` for the k-th joint [m or rad],
    continuous.  energy: kinetic, potential, work of all loads without potential since t = 0, and
    the balance error T + U - W - (T + U at t = 0) [J].  constraint: norm of C (angle rows times the
    mechanism's size) [m], norm of its rate [m/s], largest joint gap [m].  momentum: of all bodies
    together, linear [kg m/s], then angular about W's origin [kg m^2/s], both in W.  contact, where
    contacts are enabled: how many, deepest overlap [m], error of the solve [m/s], its iterations,
    work of friction, of normal impulses, of drives and of other loads without potential since t = 0
    [J], then the normal force of each pair of `pairs` [N].
    """

    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    dofs: tuple[int, ...]
    touching: bool = False
    pairs: tuple[tuple[str, str], ...] = ()

    @cached_property
    def poses(self) -> slice:
        return slice(1, 1 + 7 * len(self.bodies))

    @cached_property
    def velocities(self) -> slice:
        return slice(self.poses.stop, self.poses.stop + 6 * len(self.bodies))

    @cached_property
    def coordinates(self) -> slice:
        return slice(self.velocities.stop, self.velocities.stop + sum(self.dofs))

    @cached_property
    def energy(self) -> slice:
        return slice(self.coordinates.stop, self.coordinates.stop + 4)

    @cached_property
    def constraint(self) -> slice:
        return slice(self.energy.stop, self.energy.stop + 3)

    @cached_property
    def momentum(self) -> slice:
        return slice(self.constraint.stop, self.constraint.stop + 6)

    @cached_property
    def contact(self) -> slice:
        return slice(
            self.momentum.stop,
            self.momentum.stop + (PAIR0 + len(self.pairs) if self.touching else 0),
        )

    @cached_property
    def energies(self) -> tuple[int, ...]:
        """Columns of the energies of which the largest is what an imbalance is compared with:
        kinetic energy, and with contacts each kind of work too.
        """
        works = (
            tuple(
                self.contact.start + c for c in (FRICTION_WORK, IMPACT_WORK, DRIVE_WORK, LOAD_WORK)
            )
            if self.touching
            else ()
        )
        return (self.energy.start + KINETIC, *works)

    @cached_property
    def width(self) -> int:
        """Numbers per sample."""
        return self.contact.stop

    def joint(self, id: str) -> slice:
        """Columns of one joint's coordinates."""
        k = self.joints.index(id)
        start = self.coordinates.start + sum(self.dofs[:k])
        return slice(start, start + self.dofs[k])

    def pose(self, id: str) -> slice:
        """Columns of one body's pose."""
        start = 1 + 7 * self.bodies.index(id)
        return slice(start, start + 7)


def sample_layout(mechanism: Mechanism) -> SampleLayout:
    """The layout of a mechanism's runs."""
    joints = mechanism.joints
    return SampleLayout(
        tuple(mechanism.bodies),
        tuple(joints),
        tuple(JOINT_TYPES[j.type].dof for j in joints.values()),
        mechanism.contacts.enabled,
        recorded_pairs(mechanism),
    )
