"""``wibble play --server``: games on a server, played in the terminal."""
