"""Cards on words to learn, and the latest answers to them."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    player = sa.ForeignKey("players.id")
    op.create_table(
        "cards",
        sa.Column("player_id", sa.String(32), player, primary_key=True),
        sa.Column("lexicon", sa.String(64), primary_key=True),
        sa.Column("word", sa.String(32), primary_key=True),
        sa.Column("ask", sa.String(16), primary_key=True),
        *_schedule(),
        sa.Column("reps", sa.Integer, nullable=False),
        sa.Column("lapses", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Float(53), nullable=False),
        sa.Column("game_id", sa.String(32)),
    )
    op.create_index("ix_cards_player_id_due", "cards", ["player_id", "due"])
    op.create_table(
        "card_reviews",
        sa.Column(
            "number",
            sa.BigInteger().with_variant(sa.Integer, "sqlite"),
            primary_key=True,
            autoincrement=True,
        ),
        sa.Column("player_id", sa.String(32), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("lexicon", sa.String(64), nullable=False),
        sa.Column("word", sa.String(32), nullable=False),
        sa.Column("ask", sa.String(16), nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("grade", sa.String(8), nullable=False),
        sa.Column("answer", sa.String(64), nullable=False),
        *_schedule(),
    )
    op.create_index("ix_card_reviews_player_id_at", "card_reviews", ["player_id", "at"])
    op.create_index("ix_card_reviews_at", "card_reviews", ["at"])


def _schedule() -> list[sa.Column[object]]:
    return [
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("step", sa.Integer),
        sa.Column("stability", sa.Float(53)),
        sa.Column("difficulty", sa.Float(53)),
        sa.Column("due", sa.Float(53), nullable=False),
        sa.Column("last_review", sa.Float(53)),
    ]


def downgrade() -> None:
    """Drop them. The cards are lost."""
    op.drop_index("ix_card_reviews_at", "card_reviews")
    op.drop_index("ix_card_reviews_player_id_at", "card_reviews")
    op.drop_table("card_reviews")
    op.drop_index("ix_cards_player_id_due", "cards")
    op.drop_table("cards")
