"""Exceptions by which the engine reports that it cannot continue."""

from mechstudio.model.findings import Finding


class EngineError(ValueError):
    """A mechanism that cannot be simulated as drawn.  finding: element, cause and cure."""

    def __init__(self, finding: Finding):
        self.finding = finding
        super().__init__(f"{finding.message} {finding.cure}".strip())


class RunStopped(RuntimeError):
    """A run that had to end early; the samples before it are good.  reason: one sentence."""

    def __init__(self, reason: str, time: float):
        self.reason, self.time = reason, time
        super().__init__(reason)
