"""What the referee decided, as sentences: everything that may be told, to those who may hear it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from assistant.errors import Phrase
from assistant.laws import Event, Referee
from assistant.moves import read_move
from assistant.speaking import LANGUAGES, Hearers, event_sentences, without_echoes
from assistant.speaking.events import _TELLERS, SILENT
from assistant.speaking.wording import ARBITER, CLAIMS, ENDINGS, PENALTIES, RESULTS

SAID: list[tuple[dict[str, Any], str, str, str, str, str]] = [
    ({"event": "clock-started", "side": "white"}, "Die Uhr von Weiß läuft.", "White's clock is running.",
     "Corre el reloj de blancas.",
     "La pendule des Blancs tourne.", "Zegar białych idzie."),
    ({"event": "repeat-differs", "side": "black"}, "Springer Felix drei war angesagt.",
     "Springer Felix drei was announced.", "Springer Felix drei era lo anunciado.",
     "Springer Felix drei était annoncé.", "Springer Felix drei było zapowiedziane."),
    ({"event": "illegal-move", "side": "white", "number": 1, "remedy": "time-to-opponent", "seconds": 120},
     "Regelwidriger Zug Nummer eins von Weiß. Schwarz bekommt zwei Minuten dazu.",
     "Illegal move number one by White. Black gets two minutes more.",
     "Jugada ilegal número uno de blancas. Dos minutos más para negras.",
     "Coup illégal des Blancs, numéro un. Noirs : deux minutes de plus.",
     "Nieprawidłowe posunięcie białych numer jeden. Czarne: dwie minuty więcej."),
    ({"event": "flag-fallen", "side": "black"}, "Das Blättchen von Schwarz ist gefallen.",
     "Black's flag has fallen.", "Ha caído la bandera de negras.",
     "Le drapeau des Noirs est tombé.", "Chorągiewka czarnych opadła."),
    ({"event": "draw-offered", "side": "black"}, "Remisangebot von Schwarz.", "Draw offer by Black.",
     "Tablas ofrecidas por negras.",
     "Nulle proposée par les Noirs.", "Czarne proponują remis."),
    ({"event": "claim-wrong", "side": "white", "of": "threefold", "seconds": 180},
     "Reklamation von Weiß falsch: dreimalige Stellungswiederholung. Schwarz bekommt drei Minuten dazu.",
     "White's claim is incorrect: threefold repetition. Black gets three minutes more.",
     "Reclamación de blancas incorrecta: triple repetición. Tres minutos más para negras.",
     "Réclamation des Blancs non fondée : triple répétition. Noirs : trois minutes de plus.",
     "Reklamacja białych odrzucona: trzykrotne powtórzenie pozycji. Czarne: trzy minuty więcej."),
    ({"event": "claim-right", "side": "arbiter", "of": "illegal-move", "seconds": 0},
     "Reklamation des Schiedsrichters richtig: regelwidriger Zug.",
     "Arbiter's claim is correct: illegal move.",
     "Reclamación del árbitro correcta: jugada ilegal.",
     "Réclamation de l'arbitre fondée : coup illégal.",
     "Reklamacja sędziego uznana: nieprawidłowe posunięcie."),
    ({"event": "position-restored", "ply": 24}, "Zurück zur Stellung nach Zug zwölf von Schwarz.",
     "Back to the position after Black's move twelve.",
     "Vuelta a la posición tras la jugada doce de negras.",
     "Retour à la position après le coup douze des Noirs.",
     "Powrót do pozycji po posunięciu czarnych numer dwanaście."),
    ({"event": "game-over", "result": "1-0", "reason": "checkmate"}, "Weiß gewinnt: Schachmatt.",
     "White wins: checkmate.", "Ganan blancas: jaque mate.",
     "Les Blancs gagnent : échec et mat.", "Białe wygrywają: mat."),
    ({"event": "game-over", "result": "1/2-1/2", "reason": "agreement"}, "Remis: vereinbart.",
     "Draw: by agreement.", "Tablas: de común acuerdo.",
     "Nulle : accord mutuel.", "Remis: zgoda obu stron."),
    ({"event": "refused", "side": "white", "reason": Phrase("the opponent has not offered a draw")},
     "Kein Remis angeboten.", "No draw was offered.", "No se han ofrecido tablas.",
     "Aucune nulle proposée.", "Nie było propozycji remisu."),
]  # fmt: skip


@pytest.mark.parametrize(("event", "texts"), [(event, texts) for event, *texts in SAID])
def test_events_as_they_are_said(event: dict[str, Any], texts: list[str]) -> None:
    for language, text in zip(LANGUAGES, texts, strict=True):
        sentences = event_sentences(event, Hearers(language), "Springer Felix drei")
        assert [each.text.replace("\xa0", " ") for each in sentences] == [text]


BRANCHES: list[tuple[dict[str, Any], list[str]]] = [
    ({"event": "clock-started", "side": "white", "white": None}, ["White to move."]),
    ({"event": "clock-resumed"}, ["The clock is running again."]),
    ({"event": "clock-resumed", "side": "none"}, ["It is the agreed hour."]),
    ({"event": "clock-resumed", "side": "white", "running": "black"}, ["Black's clock is running."]),
    ({"event": "adjourned"}, ["Adjournment: a move is to be sealed."]),
    ({"event": "adjourned", "side": "white"}, ["Adjournment: White seals a move."]),
    ({"event": "adjourned", "side": "white", "fixed": True},
     ["Adjournment: White seals the move made on the board."]),
    ({"event": "illegal-move", "side": "black", "remedy": "stands"}, ["The illegal move by Black stands."]),
    ({"event": "claim-wrong", "side": "arbiter", "of": "illegal-move", "seconds": 60},
     ["Arbiter's claim is incorrect: illegal move. The opponent gets one minute more."]),
    ({"event": "claim-waits", "side": "white", "of": "quickplay-finish", "both": True},
     ["White's claim: quickplay finish. The arbiter decides.", "Both players must ask for it."]),
    ({"event": "claim-waits", "side": "white", "of": "quickplay-finish", "seconds": 120, "postponed": True},
     ["Play on: the arbiter postpones the decision. Black gets two minutes more."]),
    ({"event": "penalty", "side": "white", "kind": "reduce", "seconds": 90},
     ["Penalty for White: one minute thirty seconds less."]),
    ({"event": "penalty", "side": "white", "kind": "add-opponent", "seconds": 90},
     ["Penalty for White. Black gets one minute thirty seconds more."]),
]  # fmt: skip


@pytest.mark.parametrize(("event", "texts"), BRANCHES)
def test_a_ruling_is_said_with_what_is_special_in_it(event: dict[str, Any], texts: list[str]) -> None:
    assert [each.text for each in event_sentences(event, Hearers("en"))] == texts


GAME_SCRIPT_EVENTS = [
    "clock-started",
    "move-made",
    "move-completed",
    "repeated",
    "repeat-differs",
    "slip-corrected",
    "illegal-move",
    "refused",
    "flag-fallen",
    "flag-claim",
    "draw-offered",
    "draw-declined",
    "claim-right",
    "claim-wrong",
    "claim-waits",
    "penalty",
    "clock-set",
    "clock-stopped",
    "clock-resumed",
    "period-reached",
    "position-restored",
    "sheets-differ",
    "sheets-agree",
    "adjourned",
    "sealed",
    "sealed-void",
    "envelope-opened",
    "answer",
    "arbiter-asked",
    "game-over",
    "status",
]


def test_every_kind_of_event_of_the_game_script_is_known() -> None:
    assert frozenset(GAME_SCRIPT_EVENTS) == frozenset(_TELLERS) | SILENT


def test_an_event_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(ValueError, match="'move-guessed'"):
        event_sentences({"event": "move-guessed"}, Hearers())


@pytest.mark.parametrize(
    ("move", "words"), [(80, "quatre-vingt"), (180, "cent quatre-vingt"), (200, "deux cent")]
)
def test_the_number_of_a_move_has_no_s_in_french(move: int, words: str) -> None:
    [sentence] = event_sentences({"event": "position-restored", "ply": 2 * move}, Hearers(language="fr"))
    assert sentence.text == f"Retour à la position après le coup {words} des Noirs."


def test_nobody_is_named_where_both_players_are_late() -> None:
    asked = {"event": "arbiter-asked", "about": "default"}
    *_room, question = event_sentences(asked, Hearers(language="de"))
    assert question.text == "Schiedsrichter: Beide Spieler sind zu spät. Ist die Partie verloren?"


@pytest.mark.parametrize("result", ["1-0", "1/2-0", "1-1/2", "+/-", "0-1", "0-1/2", "1/2-1", "-/+"])
def test_who_has_more_points_is_named_first(result: str) -> None:
    (sentence,) = event_sentences(
        {"event": "game-over", "result": result, "reason": "arbiter"}, Hearers("en")
    )
    better = "White" if result in ("1-0", "1/2-0", "1-1/2", "+/-") else "Black"
    assert re.findall("White|Black", sentence.text)[0] == better


def every_event() -> list[dict[str, Any]]:
    """Return events with every result, ending, claim, penalty and question to the arbiter."""
    return [
        *(event for event, *_texts in SAID),
        *({"event": "game-over", "result": result, "reason": "arbiter"} for result in RESULTS),
        *({"event": "game-over", "result": "1-0", "reason": reason} for reason in ENDINGS),
        *(
            {"event": f"claim-{ruling}", "side": "black", "of": claim, "seconds": 120}
            for ruling in ("right", "wrong", "waits")
            for claim in CLAIMS
        ),
        {"event": "claim-wrong", "side": "arbiter", "of": "illegal-move", "seconds": 60},
        *({"event": "penalty", "side": "white", "kind": kind, "seconds": 300} for kind in PENALTIES),
        *({"event": "arbiter-asked", "about": about, "side": "black"} for about in ARBITER),
        *(
            {"event": "illegal-move", "side": "black", "number": 2, "remedy": remedy}
            for remedy in ("game-lost", "drawn", "stands")
        ),
        *(
            {"event": kind}
            for kind in ("clock-set", "clock-stopped", "clock-resumed", "sheets-agree", "sealed")
        ),
        {"event": "clock-resumed", "side": "none"},
        {"event": "clock-resumed", "side": "black"},
        {"event": "sheets-differ", "ply": 7, "white": "Nf3", "black": "Nc3"},
        {"event": "position-restored", "ply": 0},
        {"event": "adjourned", "side": "white"},
        {"event": "adjourned"},
        {"event": "adjourned", "side": "white", "fixed": True},
        {"event": "sealed-void", "side": "white"},
        {"event": "envelope-opened", "side": "white", "text": "Sf3"},
        {"event": "draw-declined", "side": "white"},
        {"event": "flag-claim", "side": "white"},
        {"event": "refused", "reason": Phrase("something new")},
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_event_is_said_with_digits_or_notation(language: str) -> None:
    for event in every_event():
        for sentence in event_sentences(event, Hearers(language), "Springer Felix drei"):
            assert not re.search(r"\d|[{}]|[NSC][a-h]\b", sentence.text), sentence.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ruling_is_said_to_the_room(language: str) -> None:
    for event in every_event():
        if event["event"] not in ("refused", "answer"):
            audiences = {each.audience for each in event_sentences(event, Hearers(language), "Eva vier")}
            assert "room" in audiences, event


# What may be told, to whom, when: 2014 D.2.9, 12.6; 2009 E.2.9, 13.6.


@pytest.mark.parametrize("mode", ["rated", "club"])
@pytest.mark.parametrize(
    "kind", ["move-made", "slip-corrected", "move-completed", "repeated", "period-reached", "status"]
)
def test_who_has_pressed_and_how_many_moves_there_are_is_told_to_nobody_unasked(kind: str, mode: Any) -> None:
    event = {"event": kind, "side": "white", "ply": 3, "moves": 40}
    assert event_sentences(event, Hearers(mode=mode), "Eva vier") == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_illegal_position_that_the_arbiter_watches_is_told_to_him_alone(language: str) -> None:
    """2014 A.4.d, 2023 A.5.4: he waits for the next move, and neither player is to learn it from him."""
    event = {"event": "claim-waits", "side": "arbiter", "of": "illegal-move", "seconds": 0, "watched": True}
    (sentence,) = event_sentences(event, Hearers(language))
    assert sentence.audience == "arbiter"


def test_a_game_that_black_began_counts_as_its_sheet_does() -> None:
    hearers = Hearers(language="en", plies_before=1)
    texts = [
        event_sentences({"event": "position-restored", "ply": ply}, hearers)[0].text for ply in (1, 2, 3)
    ]
    assert texts == [
        "Back to the position after Black's move one.",
        "Back to the position after White's move two.",
        "Back to the position after Black's move two.",
    ]


@pytest.mark.parametrize("about", ["times", "moves-completed", "moves-to-control", "last-move", "law"])
def test_an_answer_is_for_the_one_who_asked_alone(about: str) -> None:
    answer = {"event": "answer", "side": "black", "about": about, "white": 60, "black": 62.5, "moves": 12,
              "move": "Nf3", "text": "Der Zug gilt."}  # fmt: skip
    (sentence,) = event_sentences(answer, Hearers(), "Springer Felix drei")
    assert sentence.audience == "black"


def test_the_german_words_in_a_text_of_the_laws_are_said_by_a_german_voice() -> None:
    answer = {"event": "answer", "side": "black", "about": "law", "language": "es",
              "text": "El enroque se anuncia como Lange Rochade al lado de la dama. Es Kurze Rochade.",
              "german": ["Lange Rochade", "Kurze Rochade"]}  # fmt: skip
    (sentence,) = event_sentences(answer, Hearers("es"))
    assert sentence.text == answer["text"]
    assert sentence.segments == (
        ("es", "El enroque se anuncia como "),
        ("de", "Lange Rochade"),
        ("es", " al lado de la dama. Es "),
        ("de", "Kurze Rochade."),
    )


def test_the_times_are_those_of_both_players() -> None:
    answer = {"event": "answer", "side": "black", "about": "times", "white": 60, "black": 62.5}
    (sentence,) = event_sentences(answer, Hearers("en"))
    assert sentence.text == "Black: one minute two seconds. White: one minute."


def test_a_rated_game_says_nothing_of_legality() -> None:
    refused = {"event": "refused", "side": "white", "do": "announce", "reason": Phrase("no legal move fits")}
    (sentence,) = event_sentences(refused, Hearers("en", mode="rated"), "Dame Hector fünf")
    assert sentence.text == "Not recorded: Dame Hector fünf."


@pytest.mark.parametrize("verb", ["announce", "place", "repeat", "correct"])
def test_a_club_game_refuses_an_illegal_move_at_once(verb: str) -> None:
    refused = {"event": "refused", "side": "white", "do": verb, "reason": Phrase("no legal move fits")}
    (sentence,) = event_sentences(refused, Hearers("en", mode="club"), "Dame Hector fünf")
    assert sentence.text == "Not possible: Dame Hector fünf."


@pytest.mark.parametrize(("verb", "text"), [("announce", "Pardon?"), ("claim", "That is not possible now.")])
def test_only_a_move_is_asked_for_again_where_there_are_no_words_for_the_reason(verb: str, text: str) -> None:
    refused = {"event": "refused", "side": "white", "do": verb, "reason": Phrase("something new")}
    (sentence,) = event_sentences(refused, Hearers("en"))
    assert sentence.text == text


def test_which_of_several_moves_is_left_to_a_question() -> None:
    refused = {"event": "refused", "side": "white", "do": "announce", "candidates": ["b1d2", "f3d2"]}
    assert event_sentences(refused, Hearers(), "Springer David zwei") == ()


def test_a_sealed_move_is_not_read_out() -> None:
    (sentence,) = event_sentences({"event": "sealed", "side": "white", "move": "e2e4"}, Hearers(), "Eva vier")
    assert "Eva" not in sentence.text


def test_the_arbiters_question_is_for_the_arbiter_and_the_room_hears_that_he_is_asked() -> None:
    told = event_sentences({"event": "arbiter-asked", "about": "which-move"}, Hearers("en"))
    assert [(sentence.audience, sentence.text) for sentence in told] == [
        ("room", "The arbiter decides."),
        ("arbiter", "Arbiter: which move counts?"),
    ]


def test_a_whole_game_of_the_referee_can_be_said() -> None:
    referee = Referee(
        {"laws": "2014", "white": {"name": "A", "blind": True}, "black": {"name": "B"}}, read_move
    )
    lines: list[dict[str, Any]] = [{"at": 0, "do": "start"}]
    for number, (side, move) in enumerate(
        [("white", "f2f3"), ("black", "e7e5"), ("white", "g2g4"), ("black", "d8h4")]
    ):
        lines.append({"at": 10 * number + 1, "do": "place", "side": side, "move": move})
        lines.append({"at": 10 * number + 2, "do": "announce", "side": side, "move": move})
        lines.append({"at": 10 * number + 3, "do": "press", "side": side})
    lines.insert(4, {"at": 5, "do": "ask", "side": "white", "about": "times"})
    lines.insert(4, {"at": 4, "do": "press", "side": "white"})
    told = []
    for line in lines:
        for event in referee.apply(line):
            told += event_sentences(event.as_dict(), Hearers("en"), "ZUG")
    texts = [sentence.text for sentence in told]
    assert texts[0] == "White's clock is running."
    assert "ZUG" not in texts
    assert "White wins: checkmate." not in texts
    assert "Black wins: checkmate." in texts


@pytest.mark.parametrize(
    ("of", "claimed"), [("illegal-move", "illegal move"), ("two-hands", "two hands used")]
)
def test_after_a_right_claim_of_an_illegal_move_the_time_is_told_once_and_to_whom_it_is_given(
    of: str, claimed: str
) -> None:
    claim = {"event": "claim-right", "side": "black", "of": of, "seconds": 120}
    ruling = {
        "event": "illegal-move", "side": "white", "number": 1, "remedy": "time-to-opponent", "seconds": 120,
    }  # fmt: skip
    hearers = Hearers(language="en")
    told = [each.text for event in (claim, ruling) for each in event_sentences(event, hearers)]
    assert told == [
        f"Black's claim is correct: {claimed}.",
        "Illegal move number one by White. Black gets two minutes more.",
    ]


@pytest.mark.parametrize(
    ("of", "claimed"), [("illegal-move", "illegal move"), ("two-hands", "two hands used")]
)
def test_the_time_for_a_wrong_claim_is_told_with_it(of: str, claimed: str) -> None:
    claim = {"event": "claim-wrong", "side": "white", "of": of, "seconds": 120}
    (sentence,) = event_sentences(claim, Hearers("en"))
    assert sentence.text == f"White's claim is incorrect: {claimed}. Black gets two minutes more."


@pytest.mark.parametrize(
    ("claimant", "told"),
    [
        ("black", ["Black's claim is correct: time exceeded."]),
        ("arbiter", ["Arbiter's claim is correct: time exceeded.", "White's flag has fallen."]),
    ],
)
def test_the_claim_of_a_flag_is_told_once(claimant: str, told: list[str]) -> None:
    events = [
        Event(0, "flag-claim", {"side": claimant}),
        Event(0, "claim-right", {"side": claimant, "of": "flag"}),
        Event(0, "flag-fallen", {"side": "white"}),
    ]
    sentences = (event_sentences(each.as_dict(), Hearers("en")) for each in without_echoes(events))
    assert [sentence.text for of_one in sentences for sentence in of_one] == told


def test_the_claim_of_a_flag_is_told_where_no_ruling_on_it_follows() -> None:
    """Both flags are down: the arbiter's claim ends the game."""
    events = [Event(0, "flag-claim", {"side": "arbiter"}), Event(0, "game-over", {"reason": "both-flags"})]
    assert without_echoes(events) == events
