"""Base of every part of Studio: members that the one class in studio.py, into which the parts are
mixed, supplies.
"""

from collections.abc import Callable
from typing import Any

from mechstudio.application.display import Display
from mechstudio.application.document import Document
from mechstudio.application.notifications import Message
from mechstudio.application.runs.playback import Playback
from mechstudio.application.runs.reference_runs import KeptRuns
from mechstudio.application.selection import Selection
from mechstudio.application.tools.bench import ToolBench


class Part:
    """The document and what lives beside it.  session: with the worker, None until it is there.
    analysis: None while it is not known.
    """

    document: Document
    display: Display
    selection: Selection
    bench: ToolBench
    playback: Playback
    kept_runs: KeptRuns
    session: Any
    analysis: Any
    units: str
    name: Callable[[str], str]
    known: Callable[[], set[str]]
    say: Callable[[Message], None]
    withdraw: Callable[[str], None]
