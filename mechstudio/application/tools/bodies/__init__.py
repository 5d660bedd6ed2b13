"""Tools that draw bodies: links and solids."""
