"""``wibble letterpress``."""
