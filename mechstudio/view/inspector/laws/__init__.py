"""Editor and picture of a law."""
