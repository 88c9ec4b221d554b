"""Letterpress: a two-player word game for territory on a board of 25 letters."""
