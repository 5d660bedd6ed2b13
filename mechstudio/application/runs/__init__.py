"""Recorded motion: recording, playback, plots, reference runs."""
