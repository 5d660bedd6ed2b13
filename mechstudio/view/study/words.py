"""Words of a study as it is set up."""

from mechstudio.application.studies import changes
from mechstudio.model.studies.setup import BASINS, EVOLUTION, LOCAL, PARETO, SENSITIVITY, StudySetup
from mechstudio.translation import Words, tr, trn

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
    changes.RANGE: "Points of a range",
    changes.LIST: "List of values",
    changes.EVEN: "Drawn from a range",
    changes.NORMAL: "Drawn from a normal distribution",
    changes.TOLERANCE: "Drawn within a tolerance grade",
}
DIRECTION_WORDS: dict[str, Words] = {
    "rising": "rises through",
    "falling": "falls through",
    "either": "passes",
}


def planned(study: StudySetup, runs: int, duration: str) -> str:
    """Number of the runs that there will be, each of a duration, in words."""
    if study.is_fit:
        return trn("At most one run", "At most {count:,} runs", runs)
    if study.is_search:
        return trn(
            "At most one run of {duration}",
            "At most {count:,} runs of {duration}",
            runs,
            duration=duration,
        )
    return trn("One run of {duration}", "{count:,} runs of {duration}", runs, duration=duration)


def seconds(value: float) -> str:
    """A time that is guessed: "20 s", "5 min"."""
    if value < 1.0:
        return tr("1 s")
    if value < 120.0:
        return tr("{n} s", n=round(value))
    if value < 7200.0:
        return tr("{n} min", n=round(value / 60.0))
    return tr("{n} h", n=round(value / 3600.0))
