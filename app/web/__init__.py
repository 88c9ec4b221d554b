"""Web layer: pages, the JSON API, and their middleware."""
