"""Parts of a step: its dense output, and the stops and frictions within it."""
