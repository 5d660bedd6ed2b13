"""Functions for Python scripts: open and save projects, check them, simulate them.  No window, no
Qt; all numbers in SI.

import mechstudio as ms

project = ms.load("samples/four_bar.mech")
print(ms.check(project).structure.mobility)
result = ms.simulate(project, duration=2.0)
print(result.position("coupler", "P")[-1], result.statistics["energy_error"])
"""
