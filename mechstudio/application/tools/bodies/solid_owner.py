"""Owner of a new solid: a body of its own, or a part of one that was requested, pointed at or
selected.
"""

from mechstudio.application.tools.bodies.solid_stages import kind_name
from mechstudio.application.tools.tool import ToolContext
from mechstudio.model.edits.bodies import solids
from mechstudio.model.edits.bodies.solids import Solid
from mechstudio.model.mechanism import GROUND
from mechstudio.model.project import Project
from mechstudio.translation import tr


class Owner:
    """onto: a body of which the solid shall become part.  face: the body on whose face it stands.
    alt: whether Alt was held, which makes it part.
    """

    def __init__(self, context: ToolContext, onto: str) -> None:
        self._context, self._onto = context, onto
        self._target: bool | None = None  # part of a body or not, as A chose
        self.face = ""
        self.alt = False

    @property
    def host(self) -> str:
        """The body of which the solid may become part: that requested, that under the first click,
        that selected.
        """
        bodies, chosen = (
            self._context.document.project.mechanism.bodies,
            self._context.selection.current,
        )
        return next(
            (id for id in (self._onto, self.face, chosen) if id in bodies or id == GROUND), ""
        )

    @property
    def is_part(self) -> bool:
        target = self._target if self._target is not None else bool(self._onto) or self.alt
        return target and bool(self.host)

    def toggle(self) -> None:
        """Part of a body, or not; where there is no body, say how to come by one."""
        self._target = not self.is_part if self.host else None
        self._context.message = (
            ""
            if self.host
            else tr(
                "Point at a body, or select one before, and press A to make this solid part of it."
            )
        )

    def name(self, body: str) -> str:
        return self._context.document.project.mechanism.body(body).name

    @property
    def words(self) -> str:
        """Phrase for the owner, where the solid is not just a body in the work plane."""
        return (
            tr("part of {host}", host=self.name(self.host))
            if self.is_part
            else tr("new body on {face}", face=self.name(self.face))
            if self.face
            else ""
        )

    def with_solid(self, type: str, made: Solid) -> tuple[str, Project, str]:
        """(label of the step, project with the solid, body)."""
        project = self._context.document.project
        if self.is_part:
            return (
                tr(
                    "Add {kind_name} to {host}",
                    kind_name=kind_name(type),
                    host=self.name(self.host),
                ),
                solids.as_part(project, made, self.host),
                self.host,
            )
        project, id = solids.as_body(project, made)
        return tr("Draw {body}", body=project.mechanism.bodies[id].name), project, id
