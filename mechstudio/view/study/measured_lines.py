"""Lines of a measured quantity in the set-up of a study."""

from collections.abc import Callable
from functools import partial

from PySide6 import QtWidgets

from mechstudio.application.document import Document
from mechstudio.application.studies import changes
from mechstudio.application.studies.shown_study import STATISTIC_WORDS, StudyShown
from mechstudio.curves.quantities import quantities, quantity
from mechstudio.model.formulas.decimal_comma import with_commas, with_points
from mechstudio.model.project import Project
from mechstudio.model.studies.setup import (
    ABOVE,
    AT,
    BELOW,
    GOALS,
    SIGNS,
    STATISTICS,
    TARGET,
    WHEN,
    MeasuredQuantity,
)
from mechstudio.translation import tr
from mechstudio.view.study.words import DIRECTION_WORDS, GOAL_WORDS, LIMIT_WORDS
from mechstudio.view.theme import Theme
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.fields.text_field import TextField
from mechstudio.view.widgets.widgets import Elided, IconButton, label, row, wrapped

Parts = dict[str, QtWidgets.QWidget]  # fields by name


def measured_lines(
    theme: Theme, shown: StudyShown, at: tuple[Document, str], k: int, kept: MeasuredQuantity
) -> tuple[list[QtWidgets.QWidget], Parts]:
    """Lines of measure k of a study, and their fields by name.  at: the document and the study."""
    project = at[0].project
    change = partial(changes.set_measure, *at, k)
    known = quantity(project, kept.channel)
    shut = IconButton(
        theme,
        "close",
        tr("Measure this no more"),
        22,
        12,
        clicked=lambda: changes.measure_no_more(*at, k),
    )
    name = Elided(known.name if known is not None else kept.name or kept.channel, "title")
    head = row(name, shut, gap=4)
    head.box.setStretch(0, 1)

    def statistic(key: str) -> None:
        first = {AT: "0.5 s", ABOVE: "0", BELOW: "0", WHEN: "0"}
        level = kept.level or first[key] if key in first else ""
        of = {"of": kept.of or kept.channel, "direction": "rising"} if key == WHEN else {}
        change(statistic=key, level=level, **of)

    of = Choice(
        theme,
        tr("Number of the run"),
        lambda: [(s, tr(STATISTIC_WORDS[s]), "") for s in STATISTIC_WORDS],
        lambda: kept.statistic,
        statistic,
    )
    goal = Choice(
        theme,
        tr("Goal"),
        lambda: [(g, tr(GOAL_WORDS[g]), "") for g in GOALS],
        lambda: kept.goal,
        lambda g: change(goal=g, target=kept.target or _limit(shown, k) if g == TARGET else ""),
    )
    goal.setToolTip(tr("The first measure with a goal decides which run is the best."))
    parts: Parts = {"statistic": of, "goal": goal}
    first = row(of, None, label(tr("goal"), "three"), goal, gap=6)
    lines: list[QtWidgets.QWidget] = [head, first]
    if kept.goal == TARGET:
        target = TextField(theme, with_commas(kept.target), tr("Target of {name}", name=kept.name))
        target.taken.connect(lambda text: change(target=with_points(text)))
        parts["target"] = target
        lines.append(row(label(tr("the number"), "two"), target, gap=6))
    if kept.statistic not in STATISTICS:
        level = TextField(theme, with_commas(kept.level), tr("Level or time"))
        level.taken.connect(lambda text: change(level=with_points(text)))
        parts["level"] = level
        if kept.statistic == WHEN:
            lines += _crossing(theme, project, kept, change, parts, level)
        else:
            lines.append(level)
    sign = Choice(
        theme,
        tr("Limit"),
        lambda: [(s, tr(LIMIT_WORDS[s]), "") for s in SIGNS],
        lambda: kept.sign,
        lambda s: change(sign=s, limit=kept.limit or _limit(shown, k) if s else ""),
    )
    limit = row(sign, gap=6)
    if kept.sign:
        value = TextField(theme, with_commas(kept.limit), tr("Limit of {name}", name=kept.name))
        value.taken.connect(lambda text: change(limit=with_points(text)))
        parts["limit"] = value
        limit.box.addWidget(value, 1)
    else:
        limit.box.addStretch(1)
    parts["sign"] = sign
    lines.append(limit)
    if problem := changes.problem_of_measure(project, kept):
        lines.append(wrapped(problem, "wrong"))
    return lines, parts


def _crossing(
    theme: Theme,
    project: Project,
    kept: MeasuredQuantity,
    change: Callable[..., object],
    parts: Parts,
    level: TextField,
) -> list[QtWidgets.QWidget]:
    """The quantity that passes the level, and which way."""
    of = Choice(
        theme,
        tr("Quantity that passes the level"),
        lambda: [(q.key, q.name, "") for q in quantities(project).values()],
        lambda: kept.of,
        lambda key: change(of=key),
    )
    of.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Fixed)
    way = Choice(
        theme,
        tr("Direction"),
        lambda: [(d, tr(words), "") for d, words in DIRECTION_WORDS.items()],
        lambda: kept.direction,
        lambda d: change(direction=d),
    )
    parts["of"], parts["direction"] = of, way
    through = row(way, level, gap=6)
    through.box.setStretch(1, 1)
    return [of, through]


def _limit(shown: StudyShown, k: int) -> str:
    """Initial value of a limit: that of the chosen row."""
    table = shown.table
    row_ = shown.chosen
    if table is None or row_ is None or k >= len(table.measures):
        return "0"
    text = shown.text(len(table.parameters) + k, row_, 3)
    return "0" if text == "–" else with_points(text.replace("−", "-"))
