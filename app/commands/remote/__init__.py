"""Games on a server, played in a terminal."""
