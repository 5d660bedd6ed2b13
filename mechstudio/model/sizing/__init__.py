"""Balancing and sizing: requests, results, and their additions to a drawing."""
