"""What is ruled rests on the article that says so, in every edition and class of play.

Whoever is told a number may ask for it and hears what the ledger has there: a number that exists and says
something else betrays him. `SAYS`: words of the rule, whatever an edition's number for it.
"""

from __future__ import annotations

import re
from functools import cache

import pytest

from assistant.laws import edition_names, load_edition
from assistant.laws.events import Article
from assistant.laws.ledger import Row, by_article

SAYS = {
    "adjust": "adjust pieces, after first saying so",
    "adjust-clock": "^Only the player (having the move|whose clock is running) may adjust pieces",
    "advice": "No notes, sources of information or advice",
    "agreement": "Draw by agreement",
    "announce": "Moves are announced clearly",
    "announce-promotion": "On promotion the player must announce",
    "arbiter-rules": (
        "the arbiter (intervenes, if possible|who sees)|if the arbiter sees it|A.4.c do not apply"
        "|only then may the opponent claim|the opponent may claim the win before"
    ),
    "arbiter-stops": "the arbiter stops the clock",
    "assistant-time": "unable to use the clock may (have|bring) an assistant",
    "boards-differ": "If the sheets differ, moves are taken back",
    "both-flags": "^Both (flags down and the first unknown: drawn|flags fallen( as in 1 and 2)?: draw)",
    "both-flags-earlier": "play continues if it is not the last period",
    "both-flags-open": "Both flags down and the first unknown: play continues|two fallen flags",
    "checkmate": "^Checkmate wins and ends the game|when he is mated",
    "claim-move-due": "[Ww]rong (9.2 or 9.3 )?claim",
    "claim-right": "^A correct claim draws at once",
    "claim-stands": "claim cannot be withdrawn",
    "claim-touched": "loses the right to claim 9.2/9.3",
    "claim-wrong": (
        "[Ww]rong (9.2 or 9.3 )?claim: (THREE|two)|(Arts.|Articles) 7 and 9|7.5.5, 9.5.3"
        "|B.3: .* one minute, second|follows rapid .* one minute"
    ),
    "clock": "A chess clock has two linked time displays",
    "clock-blind": "clock .*admitted",
    "clock-setting-late": "clock (setting|times)",
    "colours-reversed": "[Cc]olours reversed",
    "completed-by-next-move": "completed when the player has made his next move",
    "dead-position": "^Dead position",
    "default": "default time",
    "device": "(electronic|such a|[Pp]hone).* (he|player) loses",
    "device-approval": "No electronic device in the venue that the arbiter has not specifically approved",
    "duties": "may use an assistant for any or all of the duties",
    "duty-a": "make either player's move",
    "duty-b": "announce the moves of both players",
    "duty-c": "keep the blind player's score and start the opponent's clock",
    "duty-d": "ONLY on his request",
    "duty-e": "claim the game when the time limit is exceeded",
    "duty-f": "adjournment formalities",
    "envelope": "Envelope: names",
    "envelope-lost": "Envelope lost",
    "envelope-opened": "Replier present at the agreed time",
    "explanation": "ask the arbiter to explain",
    "fifty-moves": "last 50 moves of each player are completed",
    "fifty-written": "50-move draw by .*declared move",
    "five-seconds": "(5 s per move|five extra seconds) for both",
    "fivefold": "^Automatic draw.* five",
    "flag": "prescribed moves in time loses|^Time win|when his flag falls before",
    "flag-claim": (
        "when a player makes a valid claim|only (on|when) a player('s)? valid|notices and declares it"
        "|^Time win: the claimant (may stop|stops) the clock"
    ),
    "flag-claim-wrong": "when a player makes a valid claim|^Time win|sees the opponent's flag down",
    "flag-draw": (
        "prescribed moves in time loses.* draw if the opponent could not mate"
        "|^Time win.* draw if (the claimant|he)|draws with bare king"
        '|needs "mating potential"'
    ),
    "flag-seen": "fallen when the arbiter sees it|^The arbiter too calls a flag fall",
    "having-the-move": '"has the move"',
    "hearing-impaired": "hearing-impaired one MUST have an assistant",
    "illegal": "^A move is illegal when it fails|^A piece may not move to a square occupied",
    "illegal-draw": (
        "draw (is declared (at the third|if)|if (he|the opponent) could not)|(only|may) claim a draw"
        '|needs "mating potential"|may then claim it before moving|applies 7.5.5'
    ),
    "illegal-late": (
        "(before|once he has) mov(ing|ed)|before his own move|not (made his next move|replied)"
        "|taken back to the position just before it|restore the position before it|first identifiable illegal"
    ),
    "illegal-loss": (
        "[Tt]hird illegal move by the same player: loss|[Ss]econd (completed illegal move|one) by the same"
        "|second loses|(claim|declares) the (win|WIN|game lost)|may then claim it"
        "|when he makes an illegal move"
    ),
    "illegal-move": (
        "taken back to the position just before it|restore the position before it"
        "|^(An i|I)llegal move (is )?completed|every kind of illegal move"
    ),
    "illegal-not-completed": (
        "A completed illegal move is taken back|^Illegal move found|^(An i|I)llegal move (is )?completed"
    ),
    "illegal-penalty": (
        "(two|one) minutes?( extra)? to the opponent|(Arts.|Articles) 7 and 9|7.5.5, 9.5.3|one minute, second"
        "|(claim|declares) the (win|WIN|game lost)|may then claim it|The first illegal move loses"
    ),
    "illegal-seen": "both kings in check or a pawn on its last rank: waits",
    "initial-position": "^Wrong initial position",
    "king-taken": "King left in check and clock pressed",
    "made-removed": "for a capture, the captured piece is off the board of the player",
    "mating-potential": 'needs "mating potential"',
    "moves-silence": "does not state the number of moves completed",
    "offer": "^Offer a draw after making the move",
    "offer-conduct": "unreasonable claims or draw offers",
    "offer-restricted": "may forbid agreed draws",
    "offer-timing": "unreasonable claims or draw offers",
    "one-hand": "with one hand",
    "opponent-assistant": "If the blind player has no assistant his opponent may use one",
    "pawn-left": "promotion requirements|Pawn moved to the last rank|Leaving the pawn on the last rank",
    "penalty-add-opponent": "increase the opponent's remaining time",
    "penalty-expulsion": "(exclusion from the event|expulsion from the competition)",
    "penalty-fine": "Penalty: a fine",
    "penalty-loss": "Penalty: (loss of|declaring) the game",
    "penalty-points-offender": "reduce the offender's points",
    "penalty-points-opponent": "(raise|raising) the opponent's points",
    "penalty-reduce": "reduce the offender's remaining time",
    "penalty-warning": "Penalty: warning",
    "period": "Delay mode",
    "press": "completes the move|complete without a press|until the player presses",
    "press-before-move": (
        "^(Handle the clock properly|Correct handling)|Pressing the clock without having moved"
    ),
    "press-blind": "Only then is the opponent's clock started",
    "press-without-move": "^Pressing the clock without having (moved|made a move)",
    "quickplay-accepted": "^Arbiter agrees: draw",
    "quickplay-announced": "announced (whether|before the event)|A quickplay finish is the last phase",
    "quickplay-both": "only if asked by BOTH players",
    "quickplay-claim": "may claim a draw before his flag falls",
    "quickplay-postponed": "^Postponed",
    "quickplay-rejected": "^Rejected",
    "quickplay-scope": (
        "never to blitz|A quickplay finish is the last phase|10.2 (and A.4.c do|and B6 do|does) not apply"
    ),
    "recording": "the own previous move must be written before making another",
    "recording-exempt": "Under five minutes",
    "recording-update": "only one player stopped recording",
    "released": "cannot go (elsewhere|to another square) on that move",
    "replier-absent": "opened only when the player who must reply is present",
    "replier-late": "^Replier absent",
    "resignation": "^(Resignation|Whoever resigns)",
    "restore": "put back to an earlier position",
    "resume": "decides when play restarts",
    "resumption-default": "late (for the resumption )?loses|Arriving after the default time loses",
    "score-sum": "(never add up to more|Unless rules say otherwise: win)",
    "scores": "^Unless rules say otherwise: win",
    "screens": "^Screens",
    "screens-no-claim": "^No claim may rest only on what such a device shows",
    "seal": "the arbiter (requires|asks) the player",
    "seal-order": "the arbiter (requires|asks) the player",
    "sealed-ambiguous": "^Ambiguous sealed move loses",
    "sealed-illegal": "^An illegal sealed move loses",
    "sealed-unreadable": "true meaning cannot be established",
    "sealer-absent": "^Sealer absent",
    "set-clock": "^A wrong clock setting|replace damaged clocks",
    "set-up-late": "no claim (about|on|about wrong) (piece placement|set-up)",
    "seventy-five": "^Automatic draw.* 75",
    "sheet-request": "the arbiter's scoresheet, at most five times|the sheet may be asked for",
    "slip": "^A slip of the tongue",
    "stalemate": "^Stalemate",
    "start": "^White's clock is started",
    "stop-clock": "only to seek the arbiter's help|stop the clocks until solved",
    "stop-without-reason": "no valid reason to stop the clock",
    "threefold": "if the position has just occurred",
    "threefold-written": "about to (occur|appear)",
    "touch-both": "^One piece of each colour",
    "touch-castle": "^Touching king and a rook",
    "touch-castle-illegal": "^Intending to castle",
    "touch-enemy": "^Touching enemy pieces",
    "touch-own": "^Touching own pieces|^Touch-move does not apply",
    "touch-rook-king": "^Deliberately touching a rook and then the king",
    "turn": "makes the first move, then the players move alternately",
    "two-hands": "^Using two hands",
    "waiver": "loses the right to complain",
}


@cache
def cited_rows(edition: str, number: str) -> tuple[Row, ...]:
    """What the ledger has there; 2018 has only what was read anew, the rest is numbered as in 2023."""
    found = by_article(edition, number) or (by_article("2023", number) if edition == "2018" else ())
    return tuple(row for row in found if not row.commentary)


def says(cited: Article) -> str:
    return " ".join(row.text for row in cited_rows(cited.edition, cited.number))


@pytest.mark.parametrize("name", edition_names())
def test_an_article_that_is_cited_says_what_is_ruled_by_it(name: str) -> None:
    wrong = {
        (kind, str(cited))
        for articles in load_edition(name).articles.values()
        for kind, cited in articles.items()
        if not re.search(SAYS[kind], says(cited))
    }
    assert wrong == set()


def test_there_are_words_for_every_ruling_and_for_none_that_there_is_not() -> None:
    every = [each for name in edition_names() for each in load_edition(name).articles.values()]
    assert {kind for each in every for kind in each} == SAYS.keys()


def from_appendices(name: str, play_class: str, *areas: str) -> set[str]:
    """The rulings of a class of play that rest on a rule of rapid play or of blitz."""
    articles = load_edition(name).articles[play_class]
    return {
        kind
        for kind, cited in articles.items()
        if any(row.area in areas for row in cited_rows(cited.edition, cited.number))
    }


@pytest.mark.parametrize("name", edition_names())
def test_nothing_is_ruled_by_an_appendix_that_is_not_for_this_class_of_play(name: str) -> None:
    # The arbiter's sheet is asked for in rapid play only, and whoever asks elsewhere is told where.
    assert from_appendices(name, "standard", "rapid", "blitz") <= {"sheet-request"}
    for play_class in ("rapid_supervised", "rapid_otherwise"):
        assert from_appendices(name, play_class, "blitz") == set()


BY_THE_APPENDICES = {
    "arbiter-rules", "clock-setting-late", "flag", "flag-claim", "flag-claim-wrong", "set-up-late",
}  # fmt: skip
OF_ILLEGAL_MOVES = {"illegal-draw", "illegal-late", "illegal-loss", "illegal-penalty"}


@pytest.mark.parametrize("name", edition_names())
@pytest.mark.parametrize("play_class", ["rapid_otherwise", "blitz_otherwise"])
def test_where_supervision_is_wanting_the_appendices_rule_on_flags_and_illegal_moves(
    name: str, play_class: str
) -> None:
    # In rapid play of 1997 an illegal move is ruled on as in standard play.
    illegal = set() if (name, play_class) == ("1997", "rapid_otherwise") else OF_ILLEGAL_MOVES
    assert from_appendices(name, play_class, "rapid", "blitz") >= BY_THE_APPENDICES | illegal
