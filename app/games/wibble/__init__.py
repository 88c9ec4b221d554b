"""Wibble: chain adjacent tiles into words; a clean-up scores the chain and refills the board."""
