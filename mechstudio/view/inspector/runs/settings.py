"""Run settings in the inspector: method, formulation and drift control by name, and the numbers
that they need.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mechstudio.model import fields
from mechstudio.model.edits import elements
from mechstudio.model.project import Settings
from mechstudio.model.types.methods import DRIFTS, FORMULATIONS, INTEGRATOR_TYPES, Formulation
from mechstudio.translation import Words, tr
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.form import Form
from mechstudio.view.widgets.widgets import wrapped

_CHOICES: tuple[tuple[str, Words, Mapping[str, Any]], ...] = (
    ("integrator", "Method", INTEGRATOR_TYPES),
    ("formulation", "Formulation", FORMULATIONS),
    ("drift", "Drift control", DRIFTS),
)


def applies(settings: Settings, field: fields.Field) -> bool:
    """True if a number of the settings has an effect with the chosen methods."""
    name, kind = field.path[0], INTEGRATOR_TYPES.get(settings.integrator)
    if name == "contacts":
        return True
    if name in ("alpha", "beta"):
        return settings.drift == "baumgarte"
    if name == "spectral_radius":
        return kind is not None and name in kind.numbers
    return name != "tolerance" or kind is None or kind.adaptive


def shape(settings: Settings) -> tuple[str, ...]:
    """Settings that decide which lines there are."""
    return (
        settings.integrator,
        settings.formulation,
        settings.drift,
        *(c.channel for c in settings.until),
    )


def choices(page: Any, form: Form) -> Iterator[None]:
    """Add the three choices, one at every step; each is one undo step.   page: the inspector."""
    for attribute, title, table in _CHOICES:
        _add(page, form, attribute, title, table)
        yield


def _add(page: Any, form: Form, attribute: str, title: str, table: Mapping[str, Any]) -> None:
    document = page._studio.document
    now: Callable[[], str] = lambda: getattr(document.project.settings, attribute)

    def chosen(key: str) -> None:
        document.commit(
            f"{tr(title)} {tr(table[key].label)}",
            elements.set_attribute(document.project, fields.SETTINGS, **{attribute: key}),
        )

    entries = lambda: [
        (key, tr("{label}: {use}", label=tr(kind.label), use=tr(kind.use)), "")
        for key, kind in table.items()
    ]

    def word(key: str) -> str:
        row = table[key]
        brief = row.brief if isinstance(row, Formulation) else ""
        return tr(brief or row.label)

    choice = Choice(page._theme, tr(title), entries, now, chosen, word)

    def refresh() -> None:
        choice.refresh()
        choice.setToolTip(tr(table[now()].use) if now() in table else "")

    page.refreshers.append(refresh)
    refresh()
    form.add(tr(title), choice)
    if attribute == "integrator" and page.studio.contact.is_on:
        # what is chosen here waits: contacts have steps of their own
        form.wide(
            wrapped(
                tr(
                    "Contacts are on: the run takes steps with contacts, see below. Method, "
                    "formulation and drift control are for runs without."
                ),
                "three",
            )
        )
