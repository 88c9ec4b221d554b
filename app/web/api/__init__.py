"""The JSON API: one for all games, and the stateless engines."""
