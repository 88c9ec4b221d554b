"""Scrabblet: find words in a hand of Scrabble tiles whose letters may be used repeatedly."""
