"""The drawing as symbols: quantities, frames and laws of the equations."""
