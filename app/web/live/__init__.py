"""What reaches a page without being asked for: that a table has changed, and who is at it."""
