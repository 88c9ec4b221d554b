"""Floor 4: pages, the JSON API and what guards them."""
