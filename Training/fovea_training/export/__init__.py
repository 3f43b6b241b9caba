"""Fovea - a trained network as a Core ML pipeline."""
