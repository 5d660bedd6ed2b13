"""Balancing and sizing in the window: the request, the answer before and after, and Apply."""
