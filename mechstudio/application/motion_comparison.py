"""Comparison of the data of projects that affect their motion."""

from typing import Any

import msgspec

from mechstudio.model.project import Project

replace = msgspec.structs.replace


def same_motion(a: Project, b: Project) -> bool:
    """True if two projects move alike: they may differ in names, colours, visibility, notes, kept
    redundancies, plots, pictures and lesson only.
    """
    return a.settings == b.settings and same_drawing(a, b)


def same_drawing(a: Project, b: Project) -> bool:
    """True if two projects have the same structure, poses and loads: like same_motion, but the
    settings of a run may differ too.
    """
    return a.mechanism is b.mechanism or _motion_part(a) == _motion_part(b)


def _motion_part(project: Project) -> Any:
    m = project.mechanism
    plain = lambda section, **more: {
        id: replace(x, name="", visible=True, note="", **more) for id, x in section.items()
    }
    return replace(
        m,
        bodies={
            id: replace(x, name="", color=0, visible=True, note="") for id, x in m.bodies.items()
        },
        joints=plain(m.joints, kept=""),
        couplings=plain(m.couplings, kept=""),
        drives=plain(m.drives),
        forces=plain(m.forces),
        ground=replace(m.ground, name="", color=0),
    )
