"""Laws over time and over coordinates, evaluated in plain Python."""
