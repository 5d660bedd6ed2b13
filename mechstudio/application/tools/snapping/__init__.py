"""Places that a pointer snaps to."""
