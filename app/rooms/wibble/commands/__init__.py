"""Commands of `wibble wibble`."""
