"""Inverse dynamics: a motion is given, and what drives it is found."""

from collections.abc import Mapping

import msgspec

from mechstudio.model.edits.links import free_id
from mechstudio.model.mechanism import POSITION, Drive, Law, Mechanism
from mechstudio.model.project import Project
from mechstudio.model.types.forces import is_motor


def with_motion(project: Project, motion: Mapping[tuple[str, int], Law]) -> Mechanism:
    """The mechanism with positions of joint coordinates prescribed by laws over the time, and
    without the motors that act on them.

    motion: (joint, coordinate) -> law, counted from the drawn pose.  A drive that is there already
    is replaced.
    """
    m = project.mechanism
    forces = {
        id: f
        for id, f in m.forces.items()
        if not (is_motor(f.type) and (f.joint, f.coordinate) in motion)
    }
    drives = {id: d for id, d in m.drives.items() if (d.joint, d.coordinate) not in motion}
    for (joint, coordinate), law in motion.items():
        with_them = msgspec.structs.replace(
            project, mechanism=msgspec.structs.replace(m, drives=drives)
        )
        id = free_id(with_them, "drive")
        drives = {
            **drives,
            id: Drive(
                id,
                f"motion of {m.joints[joint].name}",
                joint,
                coordinate,
                POSITION,
                law,
            ),
        }
    return msgspec.structs.replace(m, forces=forces, drives=drives)
