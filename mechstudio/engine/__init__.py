"""The numbers: compiled systems, kernels, integrators, assembly, mobility."""

import os
import sys

if "numpy" not in sys.modules:
    # for matrices as small as ours further threads of the linear algebra cost ten times the time
    # that they save; they are only disabled if numpy has not been loaded yet, because the setting
    # holds for the whole process
    for _name in (
        "OPENBLAS_NUM_THREADS",
        "OMP_NUM_THREADS",
        "MKL_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
    ):
        os.environ.setdefault(_name, "1")
