"""Pages and APIs around the games: home, daily, leaderboards, profile, words."""
