"""MJCF of a project: a tree of bodies, equality constraints that close loops, forces as MuJoCo has
them, and notes on content that it does not have.

Body frames are ours.  A joint's value is our coordinate: hinges and slides have the drawn value as
their `ref`, so that the model's qpos0 is the drawing.
"""

from mechstudio.files.exchange.chains import carrying_tree, is_chain
from mechstudio.files.exchange.mjcf.bodies import add_body, add_contacts, add_ground
from mechstudio.files.exchange.mjcf.efforts import add_forces
from mechstudio.files.exchange.mjcf.loops import add_couplings, add_loops, needs_joint
from mechstudio.files.exchange.mjcf.model import Model
from mechstudio.files.exchange.mjcf.start import add_start
from mechstudio.files.exchange.motion import Motion, Written
from mechstudio.files.exchange.xml_text import add, written
from mechstudio.model.project import Project
from mechstudio.model.quantity import values
from mechstudio.translation import tr

STEP = 5e-4  # [s] of the model's integrator
CLOSABLE = ("revolute", "spherical", "fixed")  # joints that equality constraints are


def mjcf_text(project: Project, motion: Motion | None = None) -> Written:
    """The file and the notes.  motion: of whose first sample poses and velocities are taken; the
    drawing's without it.
    """
    m = project.mechanism
    model = Model(m, None if motion is None else motion.start_poses(m))
    root = model.root
    root.set("model", project.lesson.title or "mechanism")
    add(root, "compiler", angle="radian", autolimits=True, inertiafromgeom=False)
    option = add(
        root,
        "option",
        timestep=STEP,
        gravity=values(m.gravity),
        integrator="RK4",
        solver="Newton",
        iterations=200,
        tolerance=1e-14,
        cone="elliptic",
    )
    if m.contacts.enabled:
        # bodies that share a joint are distinguished by excludes, as others are
        add(option, "flag", filterparent="disable")
    else:
        add(option, "flag", contact="disable")
    default = model.section("default")
    add(default, "equality", solref=(2 * STEP, 1.0), solimp=(0.9999, 0.9999, 0.001, 0.5, 2.0))
    add(
        default,
        "geom",
        solref=(4 * STEP, 1.0),
        solimp=(0.99, 0.999, 0.0005, 0.5, 2.0),
        **({} if m.contacts.enabled else {"contype": 0, "conaffinity": 0}),
    )
    add(default, "joint", solreflimit=(4 * STEP, 1.0), solimplimit=(0.99, 0.999, 0.0005, 0.5, 2.0))
    add(default, "site", size=0.001)
    model.section("asset")
    tree = carrying_tree(
        m,
        (),
        {id for id, j in m.joints.items() if j.type not in CLOSABLE or needs_joint(m, id)},
    )
    add_ground(model)
    for branch in tree.branches:
        add_body(model, branch)
    add_loops(model, [m.joints[id] for id in tree.closing])
    add_couplings(model)
    add_forces(model)
    add_contacts(model)
    add_start(model, tree, motion)
    if not len(model.section("asset")):
        root.remove(model.section("asset"))
    if any(not is_chain(j.type) for j in m.joints.values()):
        model.say(
            tr("What is left without a joint moves freely in MuJoCo: its motion is another one.")
        )
    head = [tr("Written by mechstudio."), *model.notes]
    return Written(written(root, head), model.notes)
