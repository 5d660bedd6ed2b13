"""Parts of equations are frozen, but for what is filled in while it is made."""

from tests.frozen import changeable

FILLED = {
    "kinematics/closing_reading.Reading",
    "kinematics/coupling_rows.Ratio",
    "kinematics/coupling_rows.Target",
    "kinematics/kinematics.Motion",
    "kinematics/load_efforts.Action",
    "kinematics/load_efforts.Effort",
    "kinematics/loads.Load",
    "kinematics/loads.Loads",
    "kinematics/loads.Mass",
    "kinematics/loop_joints.Closure",
    "kinematics/loop_rows.Row",
    "kinematics/method.Setting",
    "lecture/equilibria.Found",
    "methods/newton_euler.Bias",
    "methods/newton_euler.Wrench",
    "methods/partition.Partition",
    "methods/reactions.Component",
    "methods/recursive.Recursive",
    "plan/layout.Layout",
    "plan/plan.Plan",
    "plan/symbols.Symbol",
    "proofs/claims.Linear",
}


def test_only_what_is_filled_in_can_be_changed():
    assert set(changeable("symbolic")) == FILLED
