"""Live updates: event streams, presence, and the relay between worker processes."""
