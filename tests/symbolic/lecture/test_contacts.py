"""The chapter of contacts: its matrices against what runs recorded and against methods of its own,
its islands, its words.
"""

import numpy as np
import pytest

import mechstudio as ms
from mechstudio.application.contact_display import SLIDING, STICKING, read_contact
from mechstudio.engine.integration.options import options_of
from mechstudio.engine.run import run, system_for
from mechstudio.model.contact import FORCE, NORMAL, ContactSample
from mechstudio.model.edits import elements
from mechstudio.model.equations.lecture import CONTACTS
from mechstudio.model.results.contact_names import bodies_of, contact_ids
from mechstudio.symbolic.exports.pages.lecture import latex_document as latex_chapter
from mechstudio.symbolic.instants.cone_problem import (
    SLIDES,
    STICKS,
    ContactInstant,
    project,
    tangents,
)
from mechstudio.symbolic.instants.cone_solvers import METHODS, apgd, curve, project_all
from mechstudio.symbolic.lecture.contacts import MOST, contacts_chapter
from mechstudio.symbolic.printers.lecture_text import chapter_text
from mechstudio.symbolic.printers.typst import typst_steps
from tests.symbolic.samples import SAMPLES

PATHS = {p.stem: p for p in SAMPLES}


def instant(name, time, **settings):
    project = ms.load(PATHS[name])
    project = elements.replace(
        project,
        settings=elements.replace(
            project.settings, contacts=elements.replace(project.settings.contacts, **settings)
        ),
    )
    row, sample = ms.contacts_at(project, time)
    d = ms.derive(project, coordinates="auto")
    return d, row, sample, ContactInstant(d.live(), row, sample)


@pytest.fixture(scope="module")
def sliding():
    return instant("box_on_incline", 0.3)


@pytest.fixture(scope="module")
def gripped():
    return instant("gripper", 1.3)


@pytest.mark.parametrize("correction", [True, False], ids=["sliding is corrected", "sliding lifts"])
@pytest.mark.parametrize(
    ("case", "apart"),
    [(("box_on_incline", 0.3), 1e-9), (("gripper", 1.3), 4e-7)],
    ids=["sliding", "gripped"],
)
def test_the_recorded_impulses_solve_the_problem_that_is_shown(case, apart, correction):
    """D, M and C_q come from the symbolic derivation, the impulses from the simulator's kernels:
    they share no line, and the residuals agree.
    """
    *_, at = instant(*case, correction=correction)
    tolerance = at.settings.contacts.tolerance.value
    assert 0.0 < at.residuals.max() < tolerance and at.residuals.max() == pytest.approx(
        at.run_residual, abs=apart
    )


def test_a_ball_that_rolls_fast_rolls_in_the_chapter_too():
    """Its angles' rates turn by much within a step; its contact with the floor is that of the run
    found.
    """
    *_, at = instant("rolling_and_sliding_ball", 2.5)
    floor = at.bodies[:, 0] == -1
    tolerance = at.settings.contacts.tolerance.value
    assert floor.sum() == 2
    assert (
        at.residuals.max() == pytest.approx(at.run_residual, abs=5e-9)
        and np.hypot(*at.u[floor, 1:].T).max() < 2 * tolerance
    )


def test_belts_count_in_the_chapter_as_in_the_run():
    """Parcels that ride stick, whatever their speed; b has what the belt runs by."""
    d, row, sample, at = instant("conveyors", 2.5)
    tolerance = at.settings.contacts.tolerance.value
    assert at.residuals.max() == pytest.approx(at.run_residual, abs=1e-8)
    assert at.residuals.max() < tolerance
    slow, fast = 0.4, 0.8
    ran = np.hypot(*at.b[at.pressing, 1:].T)
    assert {round(float(x), 6) for x in ran} == {slow, fast}
    rides = np.array(at.verdicts) == "sticks"
    assert rides.sum() >= 8 and np.hypot(*at.u[rides, 1:].T).min() > 0.39
    shown = contacts_chapter(d, row, sample, values=d.live()).chapter.step("step:numbers").sentences
    assert any("run along each other by 0.4 m/s" in s for s in shown)


@pytest.mark.parametrize(("along", "state"), [(4.0, "sticks"), (9.0, "slides")])
def test_pulls_count_in_the_chapter_as_in_the_run(along, state):
    """A box that hangs by 30 N under a floor: impulses without pulls stand in the cone, the run's
    residual is that of the chapter, and the window says whether it sticks.
    """
    m = ms.Builder(gravity=(along, 0, 5))
    box = m.body("box", mass=2.0, at=(0, 0, "50 mm")).box("100 mm", "100 mm", "100 mm")
    m.floor(friction=0.5)
    m.surface(box, friction=0.5, adhesion=30)
    project = m.project()
    row, sample = ms.contacts_at(project, 0.3)
    d = ms.derive(project, coordinates="auto")
    at = ContactInstant(d.live(), row, sample)
    assert at.pull == pytest.approx([7.5] * 4)
    assert at.gamma[:, 0].sum() / at.step == pytest.approx(30.0 - 10.0, rel=1e-3)
    assert at.residuals.max() == pytest.approx(at.run_residual, abs=1e-8)
    assert set(at.verdicts) == {state}
    shown = read_contact(sample, 1e-6)
    assert shown.pressing.sum() == pytest.approx(-10.0, rel=1e-3)
    assert set(shown.state) == {SLIDING if state == "slides" else STICKING}
    up = shown.force[:, 2].sum()
    assert up == pytest.approx(-10.0, rel=1e-3), "on the box, into the floor that holds it"
    words = contacts_chapter(d, row, sample, values=d.live()).chapter.step("step:numbers").sentences
    assert any("up to A = 7.5 N" in w for w in words)


def test_second_order_terms_are_mentioned_if_the_residual_shows_them(sliding):
    words = lambda d, row, sample: " ".join(
        contacts_chapter(d, row, sample, values=d.live()).chapter.step("solution:numbers").sentences
    )
    d, row, sample, at = instant("tippe_top", 2.0)
    assert (
        at.residuals.max() > 100.0 * at.settings.contacts.tolerance.value
        and "second order to which the run steps" in words(d, row, sample)
    )
    assert "second order" not in words(*sliding[:3])


def test_friction_that_points_another_way_is_no_solution(sliding):
    d, row, sample, at = sliding
    numbers = np.frombuffer(sample.numbers).copy().reshape(len(at.mu), -1)
    n, force = numbers[0, NORMAL : NORMAL + 3], numbers[0, FORCE : FORCE + 3]
    numbers[0, FORCE : FORCE + 3] = 3.0 * (n @ force) * n - 2.0 * force
    wrong = ContactInstant(
        d.live(), row, ContactSample(sample.time, sample.bodies, numbers.tobytes())
    )
    assert wrong.residuals[0] > 1e-4


@pytest.mark.parametrize("name", ["box_on_incline", "gripper"])
def test_r_is_what_the_equations_foretell_without_contacts(name):
    """r = D^T (v + h a) + b with the accelerations that the derived equations have without
    contacts, one step before.
    """
    project = ms.load(PATHS[name])
    project = elements.replace(
        project,
        settings=elements.replace(project.settings, sample_step=project.settings.contacts.step),
    )
    options, contact_samples = options_of(project, duration=0.25), []
    rows = np.concatenate(
        list(run(system_for(project.mechanism, options), options, contact_samples=contact_samples))
    )
    d = ms.derive(project, coordinates="auto")
    values = d.live()
    at, before = (
        ContactInstant(values, rows[-1], contact_samples[-1]),
        values.at_sample(rows[-2]),
    )
    a = np.array([before.values[u.acceleration.name] for u in d.equations.coordinates])
    predicted = (at.D.T @ (values.state(rows[-2], values.layout)[1] + at.step * a)).reshape(
        -1, 3
    ) + at.b
    assert at.step == pytest.approx(1e-3) and len(at.mu) >= 4 and np.abs(at.r).max() > 1e-3
    assert np.allclose(at.r, predicted, atol=3e-6)


def test_matrices_are_what_the_laws_say(sliding, gripped):
    for *_, at in (sliding, gripped):
        assert np.allclose(at.N, at.N.T) and np.linalg.eigvalsh(at.N).min() > -1e-9
        assert np.allclose(np.einsum("cij,ckj->cik", at.axes, at.axes), np.eye(3)) and np.allclose(
            np.cross(at.axes[:, 0], at.axes[:, 1]), at.axes[:, 2]
        )
        assert np.allclose(
            (at.N @ at.gamma.ravel()).reshape(-1, 3) + at.r, at.velocity, rtol=1e-9, atol=1e-13
        )
    # nothing that pushes at a driven rail moves it along its drive: D^T W C_q^T = 0
    *_, at = gripped
    inverse = np.linalg.inv(at.M)
    held = at.C_q @ inverse
    W = inverse - held.T @ np.linalg.inv(held @ at.C_q.T) @ held
    assert np.abs(W @ at.C_q.T).max() < 1e-12 and np.allclose(at.D.T @ W @ at.D, at.N, atol=1e-10)


def test_sliding_and_sticking_are_reported(sliding, gripped):
    assert set(sliding[3].verdicts) == {SLIDES} and set(gripped[3].verdicts) == {STICKS}
    # what slides is braked straight against its sliding, with all that friction gives
    at = sliding[3]
    for g, u, mu in zip(at.gamma, at.u, at.mu):
        assert np.allclose(g[1:], -mu * g[0] * u[1:] / np.linalg.norm(u[1:]), rtol=1e-4)


def test_three_methods_find_the_impulses_of_the_run(sliding):
    at = sliding[3]
    r = at.r.copy()
    r[:, 0] += at.shift
    lengths = {}
    for key in METHODS:
        c = curve(key, at.N, r.ravel(), at.mu, 1e-9, 3000)
        lengths[key] = len(c)
        assert c[-1] < 1e-9 and c[0] > 1e-3
    assert lengths["apgd"] < lengths["jacobi"]
    best = next(g for g, left in apgd(at.N, r.ravel(), at.mu) if left < 1e-10)
    # single corners of a box share the load in many ways; their resultant is unique
    assert np.allclose(at.D @ best.ravel(), at.D @ at.gamma.ravel(), atol=2e-6)


def test_projection_is_the_nearest_point_of_the_cone():
    rng = np.random.default_rng(1)
    g, mu = rng.normal(size=(200, 3)), rng.uniform(0.05, 1.5, 200)
    p = project_all(g, mu)
    assert np.allclose(p, [project(x, m) for x, m in zip(g, mu)])
    assert np.all(np.hypot(p[:, 1], p[:, 2]) <= mu * p[:, 0] + 1e-12)
    # Moreau: what is left is in the polar cone and perpendicular
    left = g - p
    assert np.allclose((left * p).sum(axis=1), 0.0, atol=1e-12) and np.all(
        -left[:, 0] >= mu * np.hypot(left[:, 1], left[:, 2]) - 1e-12
    )
    for n in rng.normal(size=(20, 3)):
        n /= np.linalg.norm(n)
        u, w = tangents(n)
        assert np.allclose(np.array([n, u, w]) @ np.array([n, u, w]).T, np.eye(3)) and np.allclose(
            np.cross(n, u), w
        )


def test_the_chapter_shows_one_contact_and_says_how_many_are_left_out(gripped):
    d, row, sample, at = gripped
    lesson = contacts_chapter(d, row, sample, values=d.live())
    text = chapter_text(lesson.chapter)
    count = len(at.mu)
    assert (
        count > MOST
        and f"{count - MOST} of {count} contacts are left out" in text
        and len(lesson.choices) == count
    )
    assert (
        "Sticks: friction uses" in text
        and "0 ≤ γ_n ⟂ u_n⁺ + Φ/h ≥ 0" in text
        and "K*" in text
        and "De Saxcé" in text
    )
    other = lesson.choices[-1][0]
    again = contacts_chapter(d, row, sample, other)
    assert again.chosen == other and again.chapter.step("gap:frame").sources[0] == other
    assert {"right_jaw", "box"} & {x for c, _ in lesson.choices for x in bodies_of(c)}
    # every number knows its contact, so that it glows with it
    for s in lesson.chapter.steps:
        assert all(
            t.sources and t.sources[0].startswith("touch:")
            for b in s.blocks
            for line in b.rows
            for e in line
            for t in e.terms
        )


def test_the_whole_matrix_is_written_in_blocks_where_it_is_too_wide(sliding):
    """Ten blocks of four contacts, each named by its two, in a narrow panel and in LaTeX; in a wide
    one the matrix, ruled between contacts.
    """
    d, row, sample, at = sliding
    step = contacts_chapter(d, row, sample, values=d.live()).chapter.step("problem:whole")
    (whole,) = step.blocks
    assert [b.heading for b in whole.parts] == [
        f"N_{i} {j}" for i in range(1, 5) for j in range(i, 5)
    ]
    number = lambda e: sum(t.numerator * float(t.factors[0].name) for t in e.terms)
    assert np.allclose(
        [[number(e) for e in r] for r in whole.rows], at.N, rtol=1e-3
    ) and np.allclose(
        [[number(e) for e in r] for r in whole.parts[2].rows], at.block(0, 2), rtol=1e-3
    )
    ink = {"text": "#202020", "mute": "#808080"}
    narrow, wide = (
        typst_steps.markup(step, ink, lambda source, fits=fits: fits).source
        for fits in (False, True)
    )
    assert (
        narrow.count("$display(N_(") == 10 and "augment" not in narrow and '[1","2]' not in narrow
    )
    assert "display(" not in wide and "hline: (3, 6, 9,), vline: (3, 6, 9,)" in wide
    written = latex_chapter((contacts_chapter(d, row, sample, values=d.live()).chapter,), (), "N")
    assert "N_{1 2} = " in written.replace(r"\,", " ") and r"\bigl[" not in written


def test_without_contacts_or_a_run_the_laws_stand_alone(sliding):
    d, row, _, _ = sliding
    laws = d.chapter(CONTACTS)
    assert (
        "Run the mechanism" in laws.refusal
        and [s.key for s in laws.steps if s.depth] == []
        and len(laws.steps) > 6
    )
    assert (
        "Nothing touches" in contacts_chapter(d, row, ContactSample(0.3, b"", b"")).chapter.refusal
    )
    start = row.copy()
    start[0] = 0.0
    assert (
        "go on from the start"
        in contacts_chapter(
            d, start, ContactSample(0.0, sliding[2].bodies, sliding[2].numbers)
        ).chapter.refusal
    )
    off = ms.load(PATHS["box_on_incline"])
    off = elements.replace(
        off,
        mechanism=elements.replace(
            off.mechanism, contacts=elements.replace(off.mechanism.contacts, enabled=False)
        ),
    )
    assert "Contacts are off" in ms.derive(off).chapter(CONTACTS).refusal


def test_names_of_contacts_count_the_points_of_a_pair():
    assert contact_ids([(-1, 0), (-1, 0), (0, 1), (-1, 0)], ("a", "b")) == (
        "touch:ground:a:0",
        "touch:ground:a:1",
        "touch:a:b:0",
        "touch:ground:a:2",
    )
    assert bodies_of("touch:ground:a:1") == ("ground", "a")
