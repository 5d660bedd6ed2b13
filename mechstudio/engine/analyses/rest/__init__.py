"""Stops, sticking friction and laws of the time at poses of rest."""
