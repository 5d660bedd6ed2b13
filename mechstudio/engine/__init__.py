"""The numbers: compiled systems, kernels, integrators, assembly, mobility."""
