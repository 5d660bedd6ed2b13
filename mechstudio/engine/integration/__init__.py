"""Time stepping of smooth motion."""
