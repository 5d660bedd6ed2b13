"""For all tests: one thread of linear algebra, as in the solver's own process, and random examples
that are the same in every run.
"""

import os

for _name in (
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
):
    os.environ.setdefault(_name, "1")  # before anything loads numpy

from hypothesis import HealthCheck, settings  # noqa: E402

# no run fails over an example of its own or over the load of the machine; others are looked for
# with --hypothesis-profile=default
settings.register_profile(
    "steady",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")
