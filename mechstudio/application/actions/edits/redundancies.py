"""Redundancies that the user wants as they are: the Doctor keeps silent about them, with a reason
that stands in the file.
"""

from mechstudio.application.notifications import Message
from mechstudio.application.studio import Studio
from mechstudio.model.edits import elements
from mechstudio.model.findings import Finding
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.joints.planarity import is_planar
from mechstudio.model.mechanism import Coupling, Joint, Mechanism
from mechstudio.model.results.analysis import Cure, Redundancy
from mechstudio.translation import Words, tr

PLANAR: Words = "planar idealisation"
IDEAL: Words = "idealisation"
OUT_OF_PLANE = 3  # motions out of a plane: a slide and two turns


def usual_reason(mechanism: Mechanism, redundancy: Redundancy) -> str:
    """Reason for which a redundancy is mostly meant: a planar mechanism is redundant in space,
    three times in every loop; what else is prevented twice there (a second hinge of a door, a third
    crank of equal length) is not of its being planar.
    """
    out_of_plane = redundancy.element in mechanism.joints and redundancy.count == OUT_OF_PLANE
    planar = out_of_plane and is_planar(mechanism, mechanism.joints.values())
    return tr(PLANAR if planar else IDEAL)


def kept(studio: Studio, finding: Finding) -> str:
    """The reason for which a finding's redundancy is kept; empty if it is not."""
    element = _keeper(studio, finding)
    return element.kept if element is not None else ""


def _keeper(studio: Studio, finding: Finding) -> Joint | Coupling | None:
    """The joint or coupling on which a redundancy is kept: its own, or, in a file of a version
    that closed the loop elsewhere, another one of the loop.
    """
    analysis, m = studio.questions.analysis, studio.document.project.mechanism
    if analysis is None or not 0 <= finding.redundancy < len(analysis.redundancies):
        return None
    reported = {r.element for r in analysis.redundancies}
    loop = (
        finding.element,
        *(id for id in analysis.redundancies[finding.redundancy].others if id not in reported),
    )
    found = (m.joints.get(id) or m.couplings.get(id) for id in loop)
    return next((e for e in found if e is not None and e.kept), None)


def keep(studio: Studio, redundancy: Redundancy, reason: str = "") -> None:
    """Silence the finding of a joint's or coupling's redundancy from now on."""
    id = redundancy.element
    if id not in studio.document.known():  # an edit took it away while it was still listed
        return
    reason = reason or usual_reason(studio.document.project.mechanism, redundancy)
    studio.document.commit(
        tr("Keep {id}: {reason}", id=studio.document.name(id), reason=reason),
        elements.set_attribute(studio.document.project, id, kept=reason),
    )


def stop_keeping(studio: Studio, finding: Finding) -> None:
    """Report a redundancy again."""
    keeper = _keeper(studio, finding)
    if keeper is not None:
        studio.document.commit(
            tr("Check {element} again", element=studio.document.name(finding.element)),
            elements.set_attribute(studio.document.project, keeper.id, kept=""),
        )


def apply_cure(studio: Studio, cure: Cure) -> None:
    """Take a redundancy away as the Doctor proposes it; one step to undo."""
    try:
        project = elements.apply_cure(studio.display.project, cure)
    except (KeyError, ExpressionError) as error:
        studio.notifications.say(Message("warning", str(error.args[0]), "cure"))
        return
    studio.notifications.withdraw("cure")
    studio.display.commit(cure.words.split(":")[0], project)
