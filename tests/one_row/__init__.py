"""A new type is one row: rows that are added at run time are walked through the whole program."""
