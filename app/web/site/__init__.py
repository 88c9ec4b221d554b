"""The pages and API around the tables: home, daily, lobby, leaderboards, profile, words."""
