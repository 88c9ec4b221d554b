"""Actions of the state machine: each returns the next state; the machine sets its phase."""

from app.games.departures import ENDINGS, Departure, How, how_forfeited
from app.games.game import FINISHED_EARLY
from app.games.wibble import adventure
from app.games.wibble.board import CountWords, board_of, mix, place_bonuses, place_gems, replace_tiles
from app.games.wibble.events import POWERS, Context, Event
from app.games.wibble.goal_choice import best_for_goals
from app.games.wibble.levels import Progress, without
from app.games.wibble.options import Options
from app.games.wibble.scoring import points
from app.games.wibble.state import Board, Report, State, Suggestion, Turn
from app.words.vocabulary import suggested_words


def deal(state: State, _event: Event, context: Context) -> State:
    """Deal the first board and start the clock."""
    level = state.options.level
    if level is None:
        board, progress = _first_board(state.options, context), None
    else:
        board, progress = adventure.first_board(level, context.draw, context.count(state.options))
    return state.model_copy(
        update={
            "board": board,
            "adventure": progress,
            "round": 1,
            "started_at": context.at,
            "turn_started_at": context.at,
            "report": Report(result="started", seat=context.seat),
        }
    )


def _first_board(options: Options, context: Context) -> Board:
    cells = range(options.size**2)
    letters = options.board or replace_tiles(
        "a" * len(cells),
        cells,
        context.draw,
        context.random,
        context.count(options),
        options.min_words,
    )
    gems = context.mode.gems
    board = Board(letters=letters)
    if gems:
        board = Board(letters=letters, gems=place_gems((), cells, gems.on_board, context.random))
    return place_bonuses(board, context.mode, 1, context.random)


def extend(state: State, event: Event, _context: Context) -> State:
    """Append the tile to the chain."""
    return state.model_copy(update={"chain": (*state.chain, event.cell)})


def drop_last(state: State, _event: Event, _context: Context) -> State:
    """Remove the last tile of the chain."""
    return state.model_copy(update={"chain": state.chain[:-1]})


def drop_chain(state: State, _event: Event, _context: Context) -> State:
    """Discard the chain; a single tile is not an attempt."""
    return state.model_copy(update={"chain": (), "report": Report(result="dropped", seat=state.to_move)})


def clean_up(state: State, _event: Event, context: Context) -> State:
    """Process a released chain: validate, score, replace the used tiles, end the turn."""
    report = _validate(state, context)
    if report.result != "scored":
        return state.model_copy(update={"chain": (), "report": report})
    return _close_turn(_replace_used(_score(state, report, context), context), context)


def clean_up_release(state: State, event: Event, context: Context) -> State:
    """Process a released chain, and replace its tiles even if it is not a word."""
    cleaned = clean_up(state, event, context)
    report = cleaned.report
    if report is None or report.result == "scored":
        return cleaned
    replaced = _replace_used(cleaned.model_copy(update={"chain": state.chain}), context)
    return replaced.model_copy(update={"report": report.model_copy(update={"replaced": True})})


def settle(state: State, _event: Event, _context: Context) -> State:
    """Finish the clean-up."""
    return state


def end_after_rounds(state: State, _event: Event, context: Context) -> State:
    """End the game: all rounds are played."""
    return state.model_copy(
        update={"round": context.mode.rounds, "reason": f"all {context.mode.rounds} rounds played"}
    )


def end_level(state: State, _event: Event, _context: Context) -> State:
    """End the game: the level is won or lost."""
    return state.model_copy(update={"reason": adventure.ending(state)})


def end_by_clock(state: State, _event: Event, _context: Context) -> State:
    """End the game: time is up. A chain in progress is lost."""
    return _ended(state, "time’s up")


def end_by_player(state: State, _event: Event, context: Context) -> State:
    """End the game: the player finishes, or leaves only one opponent. A chain in progress is lost."""
    if len(state.scores) == 1:
        return _ended(state, FINISHED_EARLY)
    return _ended(_without(state, context.seat, "resigned"), "all others resigned")


def end_out_of_time(state: State, event: Event, context: Context) -> State:
    """End the game: of the last two players, this one ran out of time. A chain in progress is lost."""
    how = how_forfeited(began=event.began)
    left = _ended(_without(state, context.seat, how), ENDINGS[how])
    return left.model_copy(update={"report": _report_late(how, context.seat)})


def lose_on_time(state: State, event: Event, context: Context) -> State:
    """Remove a seat that ran out of time from the game, as if it had resigned."""
    how = how_forfeited(began=event.began)
    return _gone(state, how, context).model_copy(update={"report": _report_late(how, context.seat)})


def pass_turn(state: State, _event: Event, context: Context) -> State:
    """Pass the turn. A chain in progress is lost."""
    turn = Turn(seat=state.to_move, round=state.round, word="", cells=(), points=0)
    passed = state.model_copy(
        update={
            "chain": (),
            "hint": None,
            "turns": (*state.turns, turn),
            "report": Report(result="passed", seat=state.to_move),
        }
    )
    return _close_turn(passed, context)


def leave_table(state: State, _event: Event, context: Context) -> State:
    """Resign a seat while the others continue; if it was its turn, the turn is passed."""
    report = Report(result="resigned", seat=context.seat)
    return _gone(state, "resigned", context).model_copy(update={"report": report})


def shuffle(state: State, event: Event, context: Context) -> State:
    """Shuffle the tiles."""
    options = state.options
    kept = adventure.kept_cells(state)
    board = mix(board_of(state), context.random, _counter(state, context), options.min_words, kept)
    return _paid(state, event, context).model_copy(
        update={"board": board, "hint": None, "report": Report(result="shuffled", seat=state.to_move)}
    )


def swap(state: State, event: Event, context: Context) -> State:
    """Change the letter of one tile; its gem and bonus stay."""
    board = board_of(state)
    letters = board.letters[: event.cell] + event.letter + board.letters[event.cell + 1 :]
    return _paid(state, event, context).model_copy(
        update={
            "board": board.model_copy(update={"letters": letters}),
            "hint": None,
            "report": Report(result="swapped", seat=state.to_move, cells=(event.cell,)),
        }
    )


def hint(state: State, event: Event, context: Context) -> State:
    """Show the best word that is not profanity or a name; in Adventure the one that helps the goals most."""
    allowed = suggested_words(context.lexicon)
    if state.adventure is None:
        best = context.solver.best(board_of(state), state.options.size, context.scoring, allowed=allowed)
    else:
        best = best_for_goals(state, context.solver, context.scoring, allowed)
    cells = best.cells if best else ()
    return _paid(state, event, context).model_copy(
        update={"hint": cells or None, "report": Report(result="hinted", seat=state.to_move, cells=cells)}
    )


def suggest(state: State, event: Event, context: Context) -> State:
    """Show a word to the partner whose turn it is, replacing the one that this seat showed before."""
    board, seat = board_of(state), context.seat
    suggestion = Suggestion(
        seat=seat,
        word="".join(board.letters[cell] for cell in event.cells),
        cells=event.cells,
        points=points(board, event.cells, context.scoring),
    )
    others = tuple(shown for shown in state.suggestions if shown.seat != seat)
    return state.model_copy(
        update={"suggestions": (*others, suggestion), "suggested": (*state.suggested, seat)}
    )


# Steps of the clean-up


def _validate(state: State, context: Context) -> Report:
    letters = board_of(state).letters
    word = "".join(letters[cell] for cell in state.chain)
    if word not in context.lexicon:
        return Report(result="not_a_word", seat=state.to_move, word=word, cells=state.chain)
    if context.mode.once_per_word and any(turn.word == word for turn in state.turns):
        return Report(result="repeated", seat=state.to_move, word=word, cells=state.chain)
    return Report(result="scored", seat=state.to_move, word=word, cells=state.chain)


def _score(state: State, report: Report, context: Context) -> State:
    board, seat = board_of(state), state.to_move
    scored = points(board, state.chain, context.scoring)
    gathered = sum(cell in board.gems for cell in state.chain)
    turn = Turn(
        seat=seat,
        round=state.round,
        word=report.word,
        cells=state.chain,
        points=scored,
        gems=gathered,
        hinted=state.hint is not None,
    )
    held = state.gems[seat] + gathered
    if context.mode.gems:
        held = min(held, context.mode.gems.most)
    return state.model_copy(
        update={
            "turns": (*state.turns, turn),
            "scores": _with(state.scores, seat, state.scores[seat] + scored),
            "gems": _with(state.gems, seat, held),
            "adventure": _progress(state),
            "report": report.model_copy(update={"points": scored, "gems": gathered}),
        }
    )


def _replace_used(state: State, context: Context) -> State:
    board, options = board_of(state), state.options
    fixed = options.level.at("fixed") if options.level else ()
    letters = replace_tiles(
        board.letters,
        [cell for cell in state.chain if cell not in fixed],
        context.draw,
        context.random,
        _counter(state, context),
        options.min_words,
    )
    left = tuple(cell for cell in board.gems if cell not in state.chain)
    if context.mode.gems:
        left = place_gems(left, state.chain, context.mode.gems.on_board, context.random)
    return state.model_copy(
        update={
            "board": board.model_copy(update={"letters": letters, "gems": left}),
            "chain": (),
            "hint": None,
        }
    )


def _progress(state: State) -> Progress | None:
    level, progress = state.options.level, state.adventure
    if level is None or progress is None:
        return None
    return adventure.after_word(level, progress, state.chain)


def _counter(state: State, context: Context) -> CountWords:
    """Return a counter of the words on the board that can be played."""
    count, level, progress = context.count(state.options), state.options.level, state.adventure
    if level is None or progress is None:
        return count
    closed = adventure.blocked_cells(level, progress)
    return lambda letters, enough: count(without(letters, closed), enough)


def _close_turn(state: State, context: Context) -> State:
    """Move on to the next active seat; the round ends after the last seat."""
    seat, round_ = state.to_move, state.round
    while True:
        seat += 1
        if seat == len(state.scores):
            seat, round_ = 0, round_ + 1
        if seat not in state.resigned:
            break
    board = place_bonuses(board_of(state), context.mode, round_, context.random)
    return state.model_copy(
        update={"to_move": seat, "round": round_, "board": board, "turn_started_at": context.at}
    )


def _without(state: State, seat: int, how: How) -> State:
    departure = Departure(seat=seat, how=how, turns=len(state.turns))
    return state.model_copy(
        update={"resigned": (*state.resigned, seat), "departures": (*state.departures, departure)}
    )


def _gone(state: State, how: How, context: Context) -> State:
    """Remove a seat while the others continue; if it was its turn, the turn is passed."""
    left = _without(state, context.seat, how)
    if context.seat != state.to_move:
        return left
    return _close_turn(left.model_copy(update={"chain": (), "hint": None}), context)


def _report_late(how: How, seat: int) -> Report:
    return Report(result="out_of_time" if how == "ran out of time" else "not_begun", seat=seat)


def _ended(state: State, reason: str) -> State:
    return state.model_copy(
        update={
            "chain": (),
            "hint": None,
            "reason": reason,
            "report": Report(result="finished", seat=state.to_move),
        }
    )


def _paid(state: State, event: Event, context: Context) -> State:
    seat, cost = state.to_move, context.mode.costs[POWERS[event.trigger]]
    return state.model_copy(update={"gems": _with(state.gems, seat, state.gems[seat] - cost)})


def _with(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])
