"""The page of one game: the arbiter's, the opponent's and the spectators', on this computer.

Where there is no page the arbiter types at the table what his forms would do (`typed`).

One document at `/`; everything else comes and goes as data. What is sent becomes a line of the game script in
the table's own thread; what happens is told by server-sent events.

Addresses:
    GET  /                 the document, in the language of `?lang=de|en|es|fr|pl`, the cookie or the browser;
                           each address below takes `?lang` as well
    GET  /page/NAME        its style sheet and scripts
    GET  /session          who I am: role, token, texts, the arbiter's forms; which game, and whether it is
                           only followed, as each state tells as well
    GET  /events           server-sent events `state` (state, log, from, total), `clocks`, and at last, where
                           the arbiter has closed the page, `closed`
    GET  /log?before=&count=   older entries of the log
    GET  /envelope.{kind}  the sheet of the envelope for the arbiter: html, brf or txt
    POST /signin           {role, pin}
    POST /signout          {}
    POST /act              {do, values, seen, key, preview}: `seen` is the `mark` of the state that was shown;
                           `do` is a verb of the game script or one of the page's own: `move` with {move} for
                           the opponent, `sign` for him and the arbiter, `answer-call` and `close` for the
                           arbiter; answers {ok, sentence}
Each POST has the header `X-Hector-Token` from /session and comes from the page's own origin.

What a browser finds in the document, by id (hidden where the role has no use for it):
    skip, languages, heading, role, connection (shown while there is none, and when the page is closed)
    signin-form (signin-role, signin-pin, signin-do), signout
    result                 the one live region: what one's own last action brought; for the opponent what
                           others do as well, for the arbiter a call or a question that comes to wait for him
    waiting                shown while an answer is long in coming; give-up sends nothing any more
    mode, laws, status     always visible; status holds one paragraph for each sentence
    board                  the table; each square is the cell sq-e4, for the opponent with a button inside;
                           press-here (the opponent's), board-flip, captured-white, captured-black
    clock-white, clock-black (the text of each in clock-white-time, clock-black-time)
    moves                  the table of moves; each half-move is a cell m-PLY
    opponent               the opponent's part: move-form (move-text, move-do), press, offer-draw,
                           accept-draw, decline-draw, resign, call-arbiter,
                           claim-form (own-claim-of, own-claim-move, claim-do)
    sealing                seal-form (seal-move, seal-do), while the opponent has a move to seal
    followed               says to the arbiter that the page only follows a game of another program
    arbiter                the arbiter's part: questions (a list; who calls him first), form-VERB for each,
                           whose fields are VERB-FIELD and whose button is VERB-next; security
    signatures, sign       at the end; `sign` is the opponent's button
    log                    the list, the newest first; log-older, log-count
    screen                 what the Laws say about a screen that shows the game
    confirm                the dialog before an action: confirm-text, confirm-do, confirm-cancel
    promotion              the dialog for a pawn on the last rank: promote-q, promote-r, promote-b, promote-n
"""

from assistant.arbiter.following import follow
from assistant.arbiter.page import PORT, Options, Page
from assistant.arbiter.pins import Role
from assistant.arbiter.typed import Desk

__all__ = ["PORT", "Desk", "Options", "Page", "Role", "follow"]
