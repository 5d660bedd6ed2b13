"""Words of a study as it is set up."""

from mechstudio.application.studies import acts
from mechstudio.model.studies.setup import BASINS, EVOLUTION, LOCAL, PARETO, SENSITIVITY
from mechstudio.translation import Words, tr

GOAL_WORDS: dict[str, Words] = {
    "least": "least",
    "greatest": "greatest",
    "target": "target",
    "show": "show",
}
LIMIT_WORDS: dict[str, Words] = {"": "no limit", ">=": "at least", "<=": "at most"}
METHOD_WORDS: dict[str, Words] = {
    "latin": "Latin hypercube",
    "sobol": "Sobol sequence",
    "random": "Random",
    SENSITIVITY: "Sobol indices",
}
SEARCH_WORDS: dict[str, Words] = {
    EVOLUTION: "Everywhere, then nearby",
    LOCAL: "From the drawing on",
    BASINS: "All valleys",
    PARETO: "Compromises",
}
FORM_WORDS: dict[str, Words] = {
    acts.RANGE: "Points of a range",
    acts.LIST: "List of values",
    acts.EVEN: "Drawn from a range",
    acts.NORMAL: "Drawn from a normal distribution",
    acts.TOLERANCE: "Drawn within a tolerance grade",
}
DIRECTION_WORDS: dict[str, Words] = {
    "rising": "rises through",
    "falling": "falls through",
    "either": "passes",
}


def seconds(value: float) -> str:
    """A time that is guessed: "20 s", "5 min"."""
    if value < 1.0:
        return tr("1 s")
    if value < 120.0:
        return tr("{n} s", n=round(value))
    if value < 7200.0:
        return tr("{n} min", n=round(value / 60.0))
    return tr("{n} h", n=round(value / 3600.0))
