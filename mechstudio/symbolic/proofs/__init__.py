"""Proofs that derived equations agree, and checks of a user's own."""
