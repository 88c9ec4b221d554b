"""Floor 2: the rules and the engine of each game; pure."""
