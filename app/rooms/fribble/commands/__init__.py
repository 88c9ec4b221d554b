"""``wibble fribble``."""
