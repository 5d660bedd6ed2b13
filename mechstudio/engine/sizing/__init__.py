"""Counterweights, gravity balances, motors and flywheels, each from runs of the drawing."""
