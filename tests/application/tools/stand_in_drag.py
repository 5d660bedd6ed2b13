"""A stand-in for application/questions/point_drag.py: records its calls, and lets a test set how
far the drag has come.
"""


class StandInDrag:
    """fixed, refusal, waiting: its answers.   joints: id -> (body that it holds, its point)."""

    def __init__(self, *bodies, joints=None):
        self.bodies, self.joints, self.fixed, self.refusal, self.waiting = (
            bodies,
            joints or {},
            (),
            "",
            "",
        )
        self.state, self.poses, self.point, self.word, self.settled = "", None, None, "", False
        self.calls = []

    def holds(self, element, body):
        return (
            self.joints[element][0]
            if element in self.joints
            else body
            if body in self.bodies and element == body
            else ""
        )

    def is_fixed(self, body):
        return body in self.fixed

    def joint_point(self, id):
        return self.joints[id][1]

    def start_drag(self, body, point):
        if self.refusal:
            return False
        self.calls.append(("start_drag", body, point))
        self.state, self.point, self.poses = "held", point, None
        return True

    def aim(self, target, view_direction):
        self.calls.append(("aim", target, view_direction))

    def come(self, point, word="", settled=True):
        """The solver answers."""
        self.point, self.word, self.settled, self.poses = point, word, settled, "some"

    def release(self):
        self.calls.append(("release",))
        self.state = "ending"

    def drop(self):
        self.calls.append(("drop",))
        self.state = ""
