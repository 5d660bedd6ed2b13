"""The worker process: compiles kernels, analyses and simulates, never draws."""
