"""Scrabblet: a hand of Scrabble's tiles, whose letters may be used again and again."""
