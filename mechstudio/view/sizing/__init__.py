"""Balancing and sizing in the window: what is asked, the answer before and after, and Apply."""
