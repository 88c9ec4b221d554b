"""Registers all commands of ``wibble boggle``."""

from app.commands.boggle import boggle_app
from app.commands.boggle_generate import climb_boards, generate
from app.commands.boggle_study import study

boggle_app.command("generate")(generate)
boggle_app.command("climb")(climb_boards)
boggle_app.command("study")(study)
