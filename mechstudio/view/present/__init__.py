"""The window in front of a class: large letters, thick lines, and only what is to be seen."""
