"""Names of quantities in another language: whole, and found by their English names too."""

import re

from mechstudio.application.resources import sample_folder
from mechstudio.curves.quantities import find, quantities
from mechstudio.files.project_file import load
from mechstudio.translation import ENGLISH, use


def test_joint_coordinates_and_reactions_have_whole_names():
    project = load(sample_folder() / "four_bar.mech").project
    use("zh_CN")
    try:
        rows = quantities(project)
        own = [q.name for k, q in rows.items() if k.startswith("joint/") or "reactions/" in k]
        assert own
        assert not [name for name in own if re.search("[a-z]{2,}|Force|Torque", name)]
        assert find(project, "A angle").key == "joint/A/0"
    finally:
        use(ENGLISH)
    assert find(project, "A angle").key == "joint/A/0"
