"""The drawing as arrays for the kernels."""
