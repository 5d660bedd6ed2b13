"""Inspector: pages with every number of what is selected."""
