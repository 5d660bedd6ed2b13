"""Measured data laid over a run."""
