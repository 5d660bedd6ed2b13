"""Contacts in the inspector: the page of the floor and of touching bodies, the fold of a surface,
the switch of a pair, and how contacts are stepped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6 import QtCore, QtWidgets

from mechstudio.application.actions.edits import contacts as contacts_actions
from mechstudio.application.contact_display import solid_ids
from mechstudio.model import fields
from mechstudio.model.contact import CONTACT_METHODS, IMPACT_LAWS, SURFACE_TYPES
from mechstudio.model.edits import contacts, elements
from mechstudio.model.element_fields.project import settings_fields
from mechstudio.model.joints.touching import apart_by_joints, touches
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.translation import tr
from mechstudio.view.inspector.contacts.contact_table import ContactTable
from mechstudio.view.widgets.choice import Choice
from mechstudio.view.widgets.form import Form, Section
from mechstudio.view.widgets.widgets import Elided, Segment, label, row, wrapped

if TYPE_CHECKING:
    from mechstudio.view.inspector.inspector import Inspector

Qt = QtCore.Qt
MOST_PAIRS = 80  # lines of the list of pairs; of more, two bodies are selected
ITERATIONS = (100, 500, 2000, 10_000, 100_000)  # most iterations of a solve that are offered


def pair_count(project: Project) -> int:
    """Hash of the data behind the list of pairs: bodies, joints between them, and pairs with a
    surface of their own.
    """
    m = project.mechanism
    return hash(
        (
            solid_ids(project),
            tuple((j.frame_a.body, j.frame_b.body) for j in m.joints.values()),
            tuple((p.body_a, p.body_b) for p in m.contacts.pairs if p.surface is not None),
        )
    )


def contacts_page(
    page: Inspector, column: QtWidgets.QVBoxLayout, shown: tuple[fields.Field, ...]
) -> None:
    """Add the lines of the contacts page: the switch of contacts, the floor, and the contacts
    now.
    """
    studio = page.studio
    form = Form(page.theme)
    form.add(
        tr("Contacts"),
        _toggle(
            page, lambda: studio.contact.is_on, lambda: contacts_actions.toggle_contacts(studio)
        ),
    )
    form.add(
        tr("Floor"),
        _toggle(
            page, lambda: studio.contact.has_floor, lambda: contacts_actions.toggle_floor(studio)
        ),
    )
    for field in shown:
        if field.path == ("floor", "height"):
            page.add_number(form, fields.CONTACTS, field)
    column.addWidget(form)
    if studio.contact.has_floor:
        column.addWidget(surface_section(page, fields.CONTACTS, shown, tr("Surface of the floor")))
    pairs = Section(page.theme, tr("Which pairs touch"), lambda: _pairs(page), page.opened)
    column.addWidget(pairs)
    m = studio.document.project.mechanism
    for k, pair in enumerate(m.contacts.pairs):
        # a file may name a body that could not be used
        if pair.surface is not None and {pair.body_a, pair.body_b} <= {GROUND, *m.bodies}:
            column.addWidget(
                _pair_section(
                    page,
                    pair.body_a,
                    pair.body_b,
                    [f for f in shown if f.path[:3] == ("pairs", k, "surface")],
                )
            )
    column.addWidget(settings_section(page))
    column.addSpacing(4)
    column.addWidget(label(tr("Touching now"), "title"))
    table = ContactTable(page.theme, studio)
    page.on_time.append(table.refresh)
    page.refreshers.append(table.refresh)
    column.addWidget(table)


def surface_section(
    page: Inspector, id: str, shown: tuple[fields.Field, ...], title: str = ""
) -> Section:
    """Preset and numbers of the surface of a body, or of the floor by fields.CONTACTS."""
    head = ("floor", "surface") if id == fields.CONTACTS else ("surface",)
    leaf = page.leaf

    def build() -> Form:
        form = Form(page.theme, (14, 0, 0, 4))
        if id != fields.CONTACTS:
            touches = _toggle(
                page,
                lambda: page.studio.document.project.mechanism.body(leaf.id).touches,
                lambda: contacts_actions.toggle_shape_contacts(page.studio, leaf.id),
            )
            touches.setToolTip(tr("Off: it passes through everything"))
            form.add(tr("Touches"), touches)
        now = lambda: contacts.surface_of(page.studio.document.project, leaf.id).type
        entries = lambda: [
            (
                key,
                tr(
                    "{label}: μ {friction:g}, e {restitution:g}",
                    label=tr(kind.label),
                    friction=kind.friction,
                    restitution=kind.restitution,
                ),
                "",
            )
            for key, kind in SURFACE_TYPES.items()
        ]
        choice = Choice(
            page.theme,
            tr("Surface"),
            entries,
            now,
            lambda key: contacts_actions.set_surface(page.studio, leaf.id, key),
            lambda key: tr(SURFACE_TYPES[key].label),
        )
        page.refreshers.append(choice.refresh)
        page.leaf.arrivals.append(choice.refresh)
        form.add(tr("Surface"), choice)
        for field in shown:
            if field.path[: len(head)] == head:
                page.add_number(form, leaf.id, field)
        form.wide(
            wrapped(
                tr(
                    "Between two surfaces friction and rebound are the geometric means of both, "
                    "and the larger adhesion counts."
                ),
                "three",
            )
        )
        return form

    return Section(page.theme, title or tr("Contact"), build, page.opened)


def _pair_section(page: Inspector, a: str, b: str, shown: list[fields.Field]) -> Section:
    """Preset and numbers of the contact of two bodies."""

    def build() -> Form:
        form = Form(page.theme, (14, 0, 0, 4))
        form.add(tr("Surface"), pair_choice(page, a, b))
        for field in shown:
            page.add_number(form, fields.CONTACTS, field)
        return form

    m = page.studio.document.project.mechanism
    return Section(page.theme, f"{m.body(a).name} – {m.body(b).name}", build, page.opened)


def pair_choice(page: Inspector, a: str, b: str) -> Choice:
    """Choice of the surface of a pair of bodies: what follows from their own surfaces, or a
    preset.
    """
    studio = page.studio

    def now() -> str:
        surface = contacts.pair_surface(studio.document.project.mechanism, a, b)
        return "" if surface is None else surface.type

    entries = lambda: [
        ("", tr("By their own surfaces"), ""),
        *(
            (
                key,
                tr(
                    "{label}: μ {friction:g}, e {restitution:g}",
                    label=tr(kind.label),
                    friction=kind.friction,
                    restitution=kind.restitution,
                ),
                "",
            )
            for key, kind in SURFACE_TYPES.items()
        ),
    ]
    choice = Choice(
        page.theme,
        tr("Surface of the pair"),
        entries,
        now,
        lambda key: contacts_actions.set_pair_surface(studio, a, b, key),
        lambda key: (
            tr(SURFACE_TYPES[key].label) if key in SURFACE_TYPES else tr("By their own surfaces")
        ),
    )
    page.refreshers.append(choice.refresh)
    return choice


def settings_section(page: Inspector) -> Section:
    """Fold of the settings of contact stepping."""

    def build() -> Form:
        form, document = Form(page.theme, (14, 0, 0, 4)), page.studio.document
        now = lambda: document.project.settings.contacts

        def put(what: str, **changes) -> None:
            document.commit(
                what,
                elements.set_attribute(
                    document.project, fields.SETTINGS, contacts=elements.replace(now(), **changes)
                ),
            )

        for attribute, title, table in (
            ("method", tr("Method"), CONTACT_METHODS),
            ("impacts", tr("Impacts"), IMPACT_LAWS),
        ):
            entries = lambda table=table: [
                (key, tr("{label}: {use}", label=tr(kind.label), use=tr(kind.use)), "")
                for key, kind in table.items()
            ]
            chosen = lambda key, attribute=attribute, title=title, table=table: put(
                tr("{title} of contacts {table}", title=title, table=tr(table[key].label)),
                **{attribute: key},
            )
            _add_choice(
                page,
                form,
                title,
                entries,
                lambda attribute=attribute: getattr(now(), attribute),
                chosen,
                lambda key, table=table: tr(table[key].short),
            )
        counts = lambda: [(str(n), str(n), "") for n in sorted({*ITERATIONS, now().most})]
        _add_choice(
            page,
            form,
            tr("Iterations"),
            counts,
            lambda: str(now().most),
            lambda key: put(tr("At most {key} iterations of contacts", key=key), most=int(key)),
        )
        for field in settings_fields(document.project.settings, document.project.mechanism):
            if field.path[0] == "contacts":
                page.add_number(form, fields.SETTINGS, field)
        correction = _toggle(
            page,
            lambda: now().correction,
            lambda: put(
                tr("De Saxcé correction off") if now().correction else tr("De Saxcé correction on"),
                correction=not now().correction,
            ),
        )
        correction.setToolTip(tr("Without it what slides is lifted off what it slides on"))
        form.add(tr("Correction"), correction)
        return form

    return Section(page.theme, tr("How contacts are stepped"), build, page.opened)


def _add_choice(page: Inspector, form: Form, title: str, *how) -> Choice:
    """A choice that follows the document.  how: entries, now, chosen and short as Choice takes
    them.
    """
    choice = Choice(page.theme, title, *how)
    page.refreshers.append(choice.refresh)
    form.add(title, choice)
    return choice


def pair_line(page: Inspector, a: str, b: str) -> QtWidgets.QWidget:
    """The names of two bodies, why they do not touch by themselves, and the switch."""
    studio = page.studio
    m = studio.document.project.mechanism
    words = Elided(f"{m.body(a).name} – {m.body(b).name}", "two")
    switch = Segment(page.theme, (("1", tr("Touch")), ("0", tr("Apart"))), "tight", 24)
    switch.setProperty("pair", f"{a} {b}")

    def refresh() -> None:
        mechanism = studio.document.project.mechanism
        if {a, b} <= {GROUND, *mechanism.bodies}:
            switch.choose(str(int(touches(mechanism, a, b))))

    switch.chosen.connect(
        lambda key: (
            None
            if key == str(int(touches(studio.document.project.mechanism, a, b)))
            else contacts_actions.set_pair(studio, a, b, key == "1")
        )
    )
    page.refreshers.append(refresh)
    refresh()
    line = row(words, switch, gap=6)
    line.box.setStretch(0, 1)
    why = contacts_actions.why_apart(studio, a, b)
    if not why:
        return line
    return row(line, label(why, "three"), vertical=True, gap=0)


def _pairs(page: Inspector) -> QtWidgets.QWidget:
    """All pairs that can touch; of a crowd only those of which something was said or that share a
    joint.
    """
    box = row(vertical=True, margins=(14, 0, 0, 4), gap=5)
    project = page.studio.document.project
    ids = solid_ids(project)
    pairs = [(a, b) for k, a in enumerate(ids) for b in ids[k + 1 :]]
    if len(pairs) > MOST_PAIRS:
        said = {frozenset((p.body_a, p.body_b)) for p in project.mechanism.contacts.pairs}
        said |= apart_by_joints(project.mechanism).keys()
        pairs = [p for p in pairs if frozenset(p) in said][:MOST_PAIRS]
    if len(ids) > 1:
        box.box.addWidget(
            wrapped(
                tr(
                    "Select two bodies to switch their contact or to give the pair a surface of "
                    "its own."
                ),
                "three",
            )
        )
    for a, b in pairs:
        box.box.addWidget(pair_line(page, a, b))
    if not ids:
        box.box.addWidget(wrapped(tr("No body has a shape yet."), "three"))
    return box


def _toggle(page: Inspector, now, act) -> Segment:
    segment = Segment(page.theme, (("1", tr("On")), ("0", tr("Off"))), "tight", 26)
    refresh = lambda: segment.choose(str(int(now())))

    def chosen(key: str) -> None:
        if key != str(int(now())):
            act()
        refresh()

    segment.chosen.connect(chosen)
    page.refreshers.append(refresh)
    refresh()
    return segment
