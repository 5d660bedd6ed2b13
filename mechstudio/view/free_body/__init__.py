"""Free-body view: a card with loads and the polygon of forces."""
