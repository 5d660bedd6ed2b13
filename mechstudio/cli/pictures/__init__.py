"""Commands that draw: pictures, films, diagrams and drawings with dimensions."""
