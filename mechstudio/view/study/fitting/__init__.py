"""Fits in the study page: the data that is met, the curves, and the answer."""
