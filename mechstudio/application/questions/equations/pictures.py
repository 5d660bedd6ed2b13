"""Pictures of the parts of the equations, requested one by one."""

from collections.abc import Callable

from mechstudio.application.questions.equations.styles import Picture, Style, depends_on
from mechstudio.application.signal import Signal
from mechstudio.model.equations.terms import Equations
from mechstudio.protocol.derivation_messages import Typeset, TypesetPart
from mechstudio.protocol.solver_messages import Request

# sends a request to the process that derived the equations, made with its id; the id, 0 where no
# process knows them
Post = Callable[[Callable[[int], Request]], int]


class Pictures:
    """equations: those that are shown, None for none.  ready(part): `picture` has a newer one, or
    there will be none.
    """

    def __init__(self, post: Post, derive_again: Callable[[], None]) -> None:
        """derive_again: has the equations derived again where no process knows them."""
        self.ready = Signal()
        self.equations: Equations | None = None
        self._post, self._derive_again = post, derive_again
        self._pictures: dict[str, Picture] = {}
        self._pending: dict[str, tuple[int, Style]] = {}
        # that met an error: not requested again in the same style
        self._refused: dict[str, Style] = {}
        self._outdated: set[str] = set()  # of equations or of an instant before these

    @property
    def pending_count(self) -> int:
        """Number of pictures that are under way."""
        return len(self._pending)

    def is_pending(self, beginning: str) -> bool:
        """True if a picture is under way of a part whose name begins so."""
        return any(part.startswith(beginning) for part in self._pending)

    def lacks(self, part: str, style: Style) -> bool:
        """True if the picture of a part in this style is missing, neither under way nor refused;
        False as long as there are no equations.
        """
        found, pending = self._pictures.get(part), self._pending.get(part)
        if self.equations is None or (
            found is not None and found.style == style and part not in self._outdated
        ):
            return False
        return (pending is None or pending[1] != style) and self._refused.get(part) != style

    def newest(self, part: str) -> Picture | None:
        """The newest picture of a part, None before the first."""
        return self._pictures.get(part)

    def picture(self, part: str, style: Style) -> Picture | None:
        """The newest picture of a part, None before the first; requests one in this style if it has
        another.
        """
        if self.lacks(part, style):
            self._request(part, style)
        return self._pictures.get(part)

    def _request(self, part: str, style: Style) -> None:
        id = self._post(
            lambda id: Typeset(
                id,
                part,
                style.colors,
                style.size,
                style.density,
                style.width,
                style.units,
                style.numbers,
                style.with_numbers,
            )
        )
        if id:
            self._pending[part] = (id, style)
        else:
            self._derive_again()

    # called by the derivations

    def show(self, equations: Equations) -> None:
        """Go on with other equations; what looks the same is not typeset again."""
        old = self.equations
        if old is not None:
            self._pictures = {
                part: p
                for part, p in self._pictures.items()
                if "/" in part or depends_on(old, part) == depends_on(equations, part)
            }
            self._outdated = {p for p in self._pictures if "/" in p}
        self.equations = equations
        self._refused.clear()

    def outdate(self, is_old: Callable[[str], bool]) -> None:
        """Have pictures made again where they are requested next, by the names of their parts."""
        self._outdated |= {part for part in self._pictures if is_old(part)}

    def replace(self, part: str) -> None:
        """Request a picture again; one in the making is outdated too."""
        self._pending.pop(part, None)
        self._outdated.add(part)

    def take(self, report: TypesetPart) -> None:
        """Take in a picture."""
        part = report.part
        pending = self._pending.get(part)
        if pending is None or pending[0] != report.id:
            return
        if report.beginning:
            # if the rest never comes, it is requested again
            self._outdated.add(part)
        else:
            del self._pending[part]
            self._outdated.discard(part)
        self._pictures[part] = Picture(report.png, report.size, report.link_areas, pending[1])
        self.ready.emit(part)

    def failed(self, id: int) -> str:
        """Refuse the picture that a request was for; its part, "" for another request."""
        part = next((part for part, pending in self._pending.items() if pending[0] == id), "")
        if part:
            self._refused[part] = self._pending.pop(part)[1]
        return part

    def forget_pending(self) -> None:
        """Forget the requests under way, which will not be answered."""
        self._pending.clear()

    def forget(self) -> None:
        """There are no equations."""
        self.equations = None
        self._pictures.clear()
        self._pending.clear()
