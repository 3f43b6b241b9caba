"""Fovea - the network, its targets and loss, and the loop that trains it."""
