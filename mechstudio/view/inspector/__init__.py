"""Inspector: pages with every number of the selection."""
