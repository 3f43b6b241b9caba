"""Fovea - flat things: symbols, text, textures, and the geometry that places them."""
