"""Description of the machine that a benchmark ran on, in one line."""

import importlib.metadata
import os
import platform


def describe() -> str:
    """Processor, cores and load, and versions."""
    processor = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            processor = next(
                (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")),
                processor,
            )
    except OSError:
        pass
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    versions = []
    for package in ("numpy", "numba", "scipy", "mujoco", "exudyn", "pin", "pybullet"):
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return (
        f"{processor}, {os.cpu_count()} cores{load}; Python {platform.python_version()}, "
        f"{', '.join(versions)}"
    )
