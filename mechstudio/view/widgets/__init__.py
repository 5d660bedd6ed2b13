"""Fields, choices and symbols that every panel uses."""
