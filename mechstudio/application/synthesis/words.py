"""A linkage that was found, in words."""

from mechstudio.application.synthesis.answers import Answer
from mechstudio.model.units import format_value
from mechstudio.protocol.synthesis_messages import FUNCTION, MOTION
from mechstudio.synthesis.drawing import TITLES
from mechstudio.translation import tr

EXACT = 1e-9  # [m, rad] below which nothing is missed


def facts(answer: Answer, purpose: str) -> list[str]:
    """Lines on the errors of a linkage, its transmission angle, its size, and whether it turns."""
    c = answer.candidate
    angle = purpose == FUNCTION and not answer.kind.slides
    shown = lambda value: format_value(value, "angle" if angle else "length", digits=3)
    if c.error < EXACT:
        lines = [tr("exact at its points")]
    elif purpose == MOTION:
        lines = [tr("{rms} off (rms)", rms=shown(c.error))]
    else:
        lines = [
            tr("{rms} off (rms)", rms=shown(c.error)),
            tr("at most {worst}", worst=shown(c.worst)),
        ]
    size = [format_value(s, "length", digits=3) for s in answer.size]
    lines += [
        tr(
            "transmission ≥ {angle}",
            angle=format_value(answer.transmission, "angle", digits=3),
        ),
        tr("{width} wide, {height} high", width=size[0], height=size[1]),
        tr("the crank turns fully") if c.turns else tr("the crank swings"),
    ]
    return lines


KIND_WORDS = TITLES
