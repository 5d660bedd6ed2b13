"""Forces, torques and motion laws as kernels."""
