"""Compiled kernels: kinematics, loop rows, factorisation, loads, integration, recording.  They see arrays only, never a drawing."""

from ..cache import prepare_cache

prepare_cache()

from . import compiling  # noqa: E402, F401
