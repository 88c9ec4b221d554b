"""The JSON API of the engines, which works without a stored game."""
