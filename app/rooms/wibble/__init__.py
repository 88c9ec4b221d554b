"""Wibble: draw words across a board of letters."""
