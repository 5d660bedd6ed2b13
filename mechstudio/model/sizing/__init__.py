"""Balancing and sizing: what can be asked, what is found, and what it adds to a drawing."""
