"""The kernels of contacts in the order in which they are compiled, or loaded from the cache, with word of how far that is."""

from collections.abc import Callable

from ..kernels.standing import TABLES
from .compiled import contacts_folder
from .filling import SHAPES
from .problem import PROBLEM
from .solving import POINTS
from .stage import STAGE
from .standing import EVERY, INDEX, VECTOR, need_next, pending
from .stepping import run_steps

STEP = 6.0              # what the kernel of the steps itself takes, in kernels of the common size
ARGUMENTS = (VECTOR, TABLES, STAGE, PROBLEM, SHAPES, POINTS, VECTOR, INDEX)


def prepare_contacts(progress: Callable[[float], None] = lambda fraction: None) -> None:
    """Compile what every run with contacts needs.   progress(0 … 1) is called between kernels where they are not in the cache; with 1 at the end."""
    count = pending().count(EVERY)
    if not count and run_steps.signatures:
        return
    cold = next(contacts_folder().rglob("stepping.run_steps*.nbi"), None) is None
    tell = progress if cold else lambda fraction: None
    tell(0.0)
    try:
        for n in range(count):
            need_next(EVERY)
            tell((n + 1) / (count + STEP))
        if not run_steps.signatures:
            run_steps.compile(ARGUMENTS)
    finally:
        tell(1.0)
