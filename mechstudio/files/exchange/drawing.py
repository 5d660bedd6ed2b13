"""A drawing as it is being read from a file of another program: elements with ids of our own, and
notes.
"""

import msgspec

from mechstudio.files.exchange.xml_text import ExchangeError
from mechstudio.files.format.codec import decode, encode
from mechstudio.files.project_file import LARGEST, ProjectFileError
from mechstudio.model.contact import ContactPair, Contacts, Floor
from mechstudio.model.findings import listed
from mechstudio.model.geometry.rotation import Pose, to_angles
from mechstudio.model.mechanism import (
    GROUND,
    Body,
    Coupling,
    Drive,
    Force,
    Frame,
    Joint,
    Mechanism,
    Placement,
)
from mechstudio.model.naming import presentable
from mechstudio.model.project import Lesson, Project
from mechstudio.model.quantity import Quantity, Vector, vector
from mechstudio.translation import tr

MOST_BODIES = 20_000


class Drawing:
    """Elements collected so far, by id.  names: id of each name of the file, by kind of element.
    notes: sentences; left: names of the omitted elements, by the reason.
    """

    def __init__(self) -> None:
        self.bodies: dict[str, Body] = {}
        self.joints: dict[str, Joint] = {}
        self.forces: dict[str, Force] = {}
        self.couplings: dict[str, Coupling] = {}
        self.drives: dict[str, Drive] = {}
        self.ground = Body(GROUND, "ground", color=-1)
        self.floor: Floor | None = None
        self.pairs: list[ContactPair] = []
        self.touching = False
        self.gravity: Vector = vector(0.0, 0.0, -9.81)
        self.notes: list[str] = []
        self._taken = {GROUND, "world", "t", "x", "v"}
        self._left: dict[str, list[str]] = {}

    def id(self, name: str, stem: str) -> tuple[str, str]:
        """A free id and the name that an element bears."""
        name = presentable(name) or stem
        made = "".join(c if c.isalnum() else "_" for c in name)[:100] or stem
        id, k = made, 2
        while id in self._taken:
            id, k = f"{made}_{k}", k + 1
        self._taken.add(id)
        return id, name if id == made else presentable(f"{name[:180]} {k - 1}")

    def put_body(self, body: Body) -> None:
        """A body; refused where there are too many."""
        if len(self.bodies) >= MOST_BODIES:
            raise ExchangeError(tr("The file has more than {most} bodies.", most=MOST_BODIES))
        self.bodies[body.id] = body

    def body(self, id: str) -> Body:
        """A body or ground."""
        return self.ground if id == GROUND else self.bodies[id]

    def change(self, id: str, **changes: object) -> None:
        """Change a body or ground."""
        body = msgspec.structs.replace(self.body(id), **changes)
        if id == GROUND:
            self.ground = body
        else:
            self.bodies[id] = body

    def say(self, sentence: str) -> None:
        """A note, once."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    def leave(self, reason: str, name: str) -> None:
        """Something that was left out; all of one reason are reported in one sentence."""
        self._left.setdefault(reason, []).append(name)

    def all_notes(self) -> list[str]:
        """Notes, with what was left out after them: one sentence a reason."""
        return self.notes + [
            tr("{reason}: {names}.", reason=reason, names=listed(names))
            for reason, names in self._left.items()
        ]

    def project(self, title: str) -> tuple[Project, list[str]]:
        """The project as a file of ours can hold it, and all notes.  Raises ExchangeError where it
        can hold none.
        """
        project = Project(
            Mechanism(
                self.bodies,
                self.joints,
                self.forces,
                self.ground,
                self.gravity,
                self.couplings,
                self.drives,
                Contacts(self.touching, self.floor, tuple(self.pairs)),
            ),
            lesson=Lesson(presentable(title)),
        )
        notes = self.all_notes()
        try:
            text = encode(project)
            if len(text) > LARGEST:
                raise ExchangeError(
                    tr(
                        "Its meshes would make a project of {size:.0f} MB, and one has at most "
                        "{largest:.0f} MB. Use coarser meshes.",
                        size=len(text) / 1e6,
                        largest=LARGEST / 1e6,
                    )
                )
            loaded = decode(text)
        except ProjectFileError as error:
            raise ExchangeError(str(error)) from None
        notes += [f"{f.message} {f.cure}".strip() for f in loaded.findings if f.severity != "info"]
        return msgspec.structs.replace(loaded.project, unread=()), notes


def placement(pose: Pose) -> Placement:
    """A pose as it stands in a drawing."""
    return Placement(vector(*pose[0]), vector(*to_angles(pose[1])))


def frame(body: str, pose: Pose) -> Frame:
    """A frame of a body at a pose in its axes."""
    return Frame(body, "", placement(pose))


def amounts(*numbers: float) -> tuple[Quantity, ...]:
    """Numbers as they stand in a drawing."""
    return tuple(Quantity(float(x)) for x in numbers)
