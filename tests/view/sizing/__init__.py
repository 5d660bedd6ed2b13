"""Tests of balancing and sizing in the window."""
