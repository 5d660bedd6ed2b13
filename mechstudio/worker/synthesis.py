"""Search of linkages for a task; each is reported when it is found."""

import math
import time
from collections.abc import Callable

import numpy as np

from mechstudio.protocol.derivation_messages import Working
from mechstudio.protocol.solver_messages import Report
from mechstudio.protocol.synthesis_messages import (
    FUNCTION,
    MOTION,
    LinkageFound,
    Synthesise,
    SynthesisEnded,
)

REPORT_EVERY = 0.1  # seconds between two reports of the share that is done


def synthesise(request: Synthesise, send: Callable[[Report], None]) -> None:
    """Search linkages; each is sent when it is found."""
    from mechstudio.synthesis import conditions, function, motion, path
    from mechstudio.synthesis.refinement import Candidate, Task

    id, task = request.id, request.task
    reported = 0.0

    def progress(share: float) -> bool:
        nonlocal reported
        if time.monotonic() - reported > REPORT_EVERY:
            reported = time.monotonic()
            send(Working(id, share))
        return True

    def heard(c: Candidate) -> None:
        own = c.linkage
        p, sides, angles = (tuple(n.tolist()) for n in (own.parameters, own.sides, own.angles))
        send(
            LinkageFound(id, own.type, p, sides, angles, c.error, c.transmission, c.turns, c.worst)
        )

    points = np.array([complex(x, z) for x, z in task.points])
    lengths = (task.lengths[0], task.lengths[1]) if task.lengths else None
    region = None
    if task.region:
        left, low, right, high = task.region
        region = (left, low, right, high)
    timed = task.angles if task.purpose != MOTION else ()
    requirements = Task(
        task.closed,
        task.turn,
        lengths,
        region,
        tuple(a - timed[0] for a in timed) if timed else None,
        math.sin(task.transmission),
    )
    try:
        conditions.check(task.seed, task.transmission, lengths, region, task.base)
        if task.purpose == FUNCTION:
            requirements = requirements._replace(timing=None)
            function.generate(
                task.inputs,
                task.outputs,
                task.linkage,
                requirements,
                task.base,
                task.seed,
                progress=progress,
                heard=heard,
            )
        elif task.purpose == MOTION:
            motion.generate(
                points,
                task.angles,
                task.linkage,
                requirements,
                task.seed,
                progress=progress,
                heard=heard,
            )
        else:
            path.generate(
                points, task.linkage, requirements, task.seed, progress=progress, heard=heard
            )
    except ValueError as error:
        send(SynthesisEnded(id, str(error)))
        return
    send(SynthesisEnded(id))
