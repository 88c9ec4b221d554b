"""``wibble scrabblet``."""
