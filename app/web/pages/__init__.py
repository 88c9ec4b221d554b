"""Pages of single games: start pages and engine pages."""
