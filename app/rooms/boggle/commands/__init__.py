"""``wibble boggle``."""
