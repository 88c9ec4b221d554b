"""Fribble: the crossword game on 15 by 15 squares, after Words With Friends."""
