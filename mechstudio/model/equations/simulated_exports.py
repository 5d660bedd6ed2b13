"""Content of a drawing that no export simulates, so that none is made of it: one rule for FMUs,
Modelica models and notebooks (ExportFormat.simulates).
"""

from mechstudio.model.mechanism import Mechanism
from mechstudio.model.types.exports import ExportFormat
from mechstudio.model.types.forces import sticks
from mechstudio.translation import tr


def refusal(format: ExportFormat, mechanism: Mechanism) -> str:
    """Sentence on why a format cannot hold a drawing, with the cure; "" where it can."""
    return unsimulated(mechanism) if format.simulates else ""


def unsimulated(mechanism: Mechanism) -> str:
    """Sentence on the first thing that exports do not simulate, with the cure; "" for none."""
    if mechanism.contacts.enabled:
        return tr(
            "FMUs, Modelica models and notebooks cannot hold contacts. Turn them off to export the "
            "motion without them."
        )
    for joint in mechanism.joints.values():
        if any(limit.lower or limit.upper for limit in joint.limits):
            return tr(
                "FMUs, Modelica models and notebooks cannot hold the stops of joint {name}. Remove "
                "them to export the motion between them.",
                name=joint.name or joint.id,
            )
    for force in mechanism.forces.values():
        if sticks(force):
            return tr(
                "FMUs, Modelica models and notebooks cannot hold the friction {name}, which "
                "sticks. Smooth it over a speed.",
                name=force.name or force.id,
            )
    return ""
