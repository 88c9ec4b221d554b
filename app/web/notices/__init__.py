"""Notifications to players that it is their turn, by web push, mail and webhook."""
