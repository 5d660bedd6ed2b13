"""Each type of joint as the chain that it leaves as, either of its bodies on the ground, drawn away
from zero: MuJoCo puts the body where it was drawn.
"""

import msgspec
import pytest

import mechstudio as ms
from mechstudio.files.exchange.chains import inverse, is_chain
from mechstudio.model.edits.elements import put_element
from mechstudio.model.geometry.rotation import compose, to_angles
from mechstudio.model.mass_properties import mass_properties
from mechstudio.model.mechanism import Frame, Placement
from mechstudio.model.quantity import vector
from mechstudio.model.types.joints import JOINT_TYPES
from tests.application.tools.handles.test_stop import VALUES, jointed
from tests.files.exchange.test_mjcf_motion import mujoco
from tests.files.exchange.test_urdf import assert_drawn_in_mujoco

replace = msgspec.structs.replace
CHAINS = [t for t in JOINT_TYPES if JOINT_TYPES[t].dof and is_chain(t)]


def drawn(type, exchanged):
    """A link on a joint of a type; exchanged: the link is its first body, the ground its second."""
    project, d, q, _ = jointed(type, VALUES)
    joint = project.mechanism.joints["j"]
    if not exchanged:
        return project
    on_ground, (link, body) = joint.frame_a, *project.mechanism.bodies.items()
    project = put_element(
        project, "j", replace(joint, frame_a=Frame(link), frame_b=on_ground, limits=())
    )
    at, attitude = compose(on_ground.placement.pose, inverse((tuple(d), q)))
    return put_element(
        project, link, replace(body, placement=Placement(vector(*at), vector(*to_angles(attitude))))
    )


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("type", CHAINS)
def test_a_joint_leaves_as_a_chain_that_ends_where_it_was_drawn(type, exchanged, tmp_path):
    project = drawn(type, exchanged)
    assert_drawn_in_mujoco(project, tmp_path / "j.urdf", ms.convert(project, tmp_path / "j.urdf"))
    ms.convert(project, tmp_path / "j.xml")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "j.xml"))
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    (body,) = project.mechanism.bodies.values()
    place, turn = body.placement.pose
    there = data.body(body.id)
    assert there.xpos == pytest.approx(place, abs=1e-9)
    assert abs(turn @ there.xquat) == pytest.approx(1.0)
    assert model.body(body.id).mass[0] == pytest.approx(mass_properties(body).mass)
