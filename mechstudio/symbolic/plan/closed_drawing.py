"""The drawing with its joints closed, as it starts: constants of couplings and drives are read
there, and pictures made.
"""

from mechstudio.model.edits.poses.closed_pose import standing
from mechstudio.model.edits.poses.propagation import residuals
from mechstudio.model.joints.titles import titled
from mechstudio.model.joints.tracks import curve_of
from mechstudio.model.mechanism import Joint, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.types.joints import JOINT_TYPES
from mechstudio.symbolic.errors import DerivationError
from mechstudio.translation import tr

OPEN = 1e-9  # parts of size that a joint may be apart


def closed(project: Project) -> Project:
    """The project with its bodies where their joints hold; the same object where they do as drawn,
    or cannot.
    """
    m = project.mechanism
    if not _is_open(m):
        return project
    # imported only for a drawing that needs it: it takes a while
    from mechstudio.engine.manifold.diagnosis import close_drawing

    closing = close_drawing(m)
    return (
        standing(project, dict(zip(m.bodies, closing.poses)))
        if closing.closed and closing.moved
        else project
    )


def check_curves(m: Mechanism) -> None:
    """Raise DerivationError for a drawn curve that no point can run along.  Curves made of lengths
    have symbols, whose equations hold for other lengths.
    """
    tracks = [joint for joint in m.joints.values() if joint.curve is not None]
    if not tracks:
        return
    from mechstudio.engine.constraints.tracks import track_problem

    for joint in tracks:
        if problem := track_problem(joint):
            who = titled(joint)
            raise DerivationError(
                tr("The curve of {who} {problem}.", who=who[:1].lower() + who[1:], problem=problem)
                + " "
                + tr("Change its points, or choose another form.")
            )


def _is_open(m: Mechanism) -> bool:
    """True if a joint is open; the arc length along a curve is typed, and no matter of places."""
    size = max(m.size(), 1e-12)
    return any(
        abs(x) > OPEN
        for joint in m.joints.values()
        if curve_of(joint) is None
        for x in _apart(m, joint, size)
    )


def _apart(m: Mechanism, joint: Joint, size: float) -> list[float]:
    """Residuals of a joint's rows as drawn, lengths in sizes of the mechanism."""
    found = residuals(joint, m.frame_in_world(joint.frame_a), m.frame_in_world(joint.frame_b), size)
    if JOINT_TYPES[joint.type].holds_distance:
        length = joint.parameters.get("length")
        return (
            [] if length is None else [found[0] - length.value / size]
        )  # without a length it holds as drawn
    return found
