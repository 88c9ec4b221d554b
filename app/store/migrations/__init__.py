"""Alembic's migrations, run when the store is opened."""
