"""The worker process, started by the window: python -m mechstudio.worker."""

import os

# before numpy is imported: for matrices as small as ours a second thread of the BLAS only costs
# time
for _name in (
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
):
    os.environ[_name] = "1"


def main(arguments: list[str]) -> None:
    """Serve the window that started this process; does not return."""
    import faulthandler

    faulthandler.enable()
    from mechstudio.worker.engine_solver import EngineSolver
    from mechstudio.worker.solver_process import main as serve

    serve(EngineSolver(), arguments)


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
