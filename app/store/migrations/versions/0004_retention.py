"""Results and ranked attempts outlive their games, which an operator may prune."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_LASTING = ("attempts", "results")


def upgrade() -> None:
    """Drop their foreign keys to the games."""
    for table in _LASTING:
        with op.batch_alter_table(table) as changed:
            changed.drop_constraint(f"fk_{table}_game_id_games", type_="foreignkey")


def downgrade() -> None:
    """Restore the foreign keys; rows without a game are deleted."""
    for table in _LASTING:
        op.execute(f"DELETE FROM {table} WHERE game_id NOT IN (SELECT id FROM games)")  # noqa: S608 - our names
        with op.batch_alter_table(table) as changed:
            changed.create_foreign_key(
                f"fk_{table}_game_id_games", "games", ["game_id"], ["id"], ondelete="CASCADE"
            )
