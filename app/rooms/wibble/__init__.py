"""Wibble: solve boards."""
