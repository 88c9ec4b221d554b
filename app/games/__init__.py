"""Rules and engine of each game. Pure: no I/O, no clock, no web."""
