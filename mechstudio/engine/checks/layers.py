"""Findings of links that run through each other, and of pins through links, as drawn."""

from mechstudio.model.edits.bodies.stacking import Clash, all_clashes
from mechstudio.model.findings import Finding
from mechstudio.model.mechanism import Mechanism
from mechstudio.translation import tr


def layer_findings(mechanism: Mechanism) -> list[Finding]:
    """One finding that names the first clash and counts the others; none where there is none."""
    found = all_clashes(mechanism)
    if not found:
        return []
    message = _words(mechanism, found[0])
    if len(found) > 1:
        more = len(found) - 1
        message = tr("{message} And {more} more.", message=message, more=more)
    cure = tr("Stack links moves them along the normal into layers; joints stay.")
    return [Finding("info", found[0].link, message, cure, action="stack_links")]


def _words(m: Mechanism, clash: Clash) -> str:
    link, other = m.bodies[clash.link].name, m.bodies[clash.other].name
    if clash.joint:
        return tr(
            "The pin of {joint} runs through {other} as drawn.",
            joint=m.joints[clash.joint].name,
            other=other,
        )
    return tr("{link} and {other} run through each other as drawn.", link=link, other=other)
