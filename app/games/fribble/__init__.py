"""Fribble: the crossword game on a 15x15 board, after Words With Friends."""
