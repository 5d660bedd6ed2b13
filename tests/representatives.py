"""Few samples that have every type of element between them, for tests that go through all samples.

Each type of joint, force, coupling, law, drive, shape and material stands in one of them at least,
and so do contacts, each formulation, integrator and way of holding drift, chains and loops.
"""

import functools
import json
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).parents[1] / "samples"
# parts of a drawing whose entries have types
TYPED = {"joints", "forces", "couplings", "drives", "law", "laws", "shapes", "contacts", "bodies"}
# settings that are chosen of a few words
CHOSEN = ("formulation", "integrator", "drift")
BYTES = 20_000  # that a file may have before it counts as more work than another one


def facts(data: dict[str, Any]) -> frozenset[str]:
    """Facts of a sample out of its file: "joints revolute", "contacts", "loops 2", ..."""
    settings = data.get("settings", {})
    found = {key for key in ("contacts", "gravity", "gauges", "couplings") if data.get(key)}
    found |= {f"{key} {settings[key]}" for key in CHOSEN if key in settings}
    if "contacts" in settings:
        found.add("settings of contacts")

    def walk(value: Any, where: str) -> None:
        if isinstance(value, dict):
            if where in TYPED and isinstance(kind := value.get("type"), str):
                found.add(f"{where} {kind}")
            for key, inner in value.items():
                walk(inner, key if key in TYPED else where)
        elif isinstance(value, list):
            for inner in value:
                walk(inner, where)

    for key, value in data.items():
        if key not in ("lesson", "steps"):
            walk(value, key)
    bodies, joints = len(data.get("bodies", ())), len(data.get("joints", ()))
    found.add(f"loops {min(max(joints - bodies, 0), 3)}" if joints else "no joints")
    return frozenset(found)


@functools.cache
def sample_facts() -> dict[str, tuple[frozenset[str], int]]:
    """Facts of every sample, and the size of its file [bytes], by its name."""
    paths = sorted(SAMPLES.glob("*.mech"))
    texts = {path.stem: path.read_text("utf-8") for path in paths}
    return {name: (facts(json.loads(text)), len(text)) for name, text in texts.items()}


@functools.cache
def representatives() -> frozenset[str]:
    """Names of samples that have every fact between them: again and again the one that has most of
    what is still missing for its size.
    """
    known = sample_facts()
    missing = frozenset().union(*(found for found, _ in known.values()))
    chosen: set[str] = set()
    while missing:
        gain = {n: len(found & missing) / max(size, BYTES) for n, (found, size) in known.items()}
        best = max(gain, key=lambda name: (gain[name], name))
        chosen.add(best)
        missing -= known[best][0]
    return frozenset(chosen)
