"""Names of parameters in stored studies."""

import re
from collections.abc import Callable, Mapping

import msgspec

from mechstudio.model.formulas import expression
from mechstudio.model.formulas.expression import ExpressionError
from mechstudio.model.studies.setup import StudySetup
from mechstudio.translation import tr

replace = msgspec.structs.replace
# what stands between formulas in values: "low..high:n", "a|b|c"
_BETWEEN = re.compile(r"(\.\.|\||:\s*\d+\s*$|\s*\bIT\d+\s*$)")
_CALL = re.compile(r"(\s*[a-z]+\s*\()([^()]*)(\).*)", re.DOTALL)


def renamed(studies: tuple[StudySetup, ...], new: Mapping[str, str]) -> tuple[StudySetup, ...]:
    """Studies in which parameters are called otherwise.  Raises ExpressionError where a new name
    would be read as a unit.
    """

    def own(name: str) -> str:
        return new.get(name, name)

    def formula(text: str) -> str:
        return _formula(text, new)

    return tuple(
        replace(
            study,
            vary=tuple(
                replace(v, parameter=own(v.parameter), values=_values(v.values, formula))
                for v in study.vary
            ),
            measures=tuple(
                replace(m, level=formula(m.level), limit=formula(m.limit)) for m in study.measures
            ),
            correlations=tuple(replace(c, a=own(c.a), b=own(c.b)) for c in study.correlations),
            duration=formula(study.duration),
            sample_step=formula(study.sample_step),
        )
        for study in studies
    )


def _formula(text: str, new: Mapping[str, str]) -> str:
    for old, name in new.items():
        if old not in expression.names_in(text):
            continue
        if not expression.stays(text, old, name):
            raise ExpressionError(
                tr(
                    "In {text} the name {new} would be read as the unit; choose another name.",
                    text=expression.shortened(text),
                    new=name,
                )
            )
        text = expression.renamed(text, old, name)
    return text


def _values(text: str, formula: Callable[[str], str]) -> str:
    """Values of a parameter (studies.variations) with each of their formulas changed."""
    if found := _CALL.fullmatch(text):
        inside = ",".join(map(formula, found[2].split(",")))
        if formula(text) == text:
            return f"{found[1]}{inside}{found[3]}"
    parts = _BETWEEN.split(text)
    return "".join(part if k % 2 else formula(part) for k, part in enumerate(parts))
