"""Every helper by its name.  A new one is a row of model/sizing/helpers.py and a function here."""

from collections.abc import Callable

from mechstudio.engine.sizing.counterweights import counterweights
from mechstudio.engine.sizing.flywheel import flywheel
from mechstudio.engine.sizing.gravity import gravity
from mechstudio.engine.sizing.motors import motor
from mechstudio.engine.sizing.task import Progress, Task
from mechstudio.model.project import Project
from mechstudio.model.sizing.answer import Sized
from mechstudio.model.sizing.helpers import HELPERS, Given
from mechstudio.translation import comma, tr

_ANSWERS: dict[str, Callable[[Task], Sized]] = {
    "counterweights": counterweights,
    "gravity": gravity,
    "motor": motor,
    "flywheel": flywheel,
}


def size(
    project: Project, what: str, given: Given | None = None, progress: Progress | None = None
) -> Sized:
    """The answer of a helper, a key of HELPERS.  given: its fields; those left out are usual ones.

    Raises EngineError for a drawing that cannot be run or has contacts, ValueError with one
    sentence for what makes no sense, KeyError, with the known names, for what is not there.
    """
    if what not in HELPERS:
        raise ValueError(
            tr(
                "There is no helper {what}; there are {known}.",
                what=what,
                known=comma().join(HELPERS),
            )
        )
    return _ANSWERS[what](Task(project, what, given or {}, progress))


assert _ANSWERS.keys() == HELPERS.keys()
