"""Letterpress: solve positions, match engines."""
