// The page of one game: who I am, what I see, what I can do.

import { Actor, Opponent } from "./acting.js";
import { Arbiter } from "./arbiter.js";
import { Board } from "./board.js";
import { olderLog, pause, Refused, send, session as askSession, Stream } from "./net.js";
import { say, tell, unmark } from "./said.js";
import { byId, Clocks, fill, goOn, isShown, Log, setText, show, showState } from "./shown.js";

async function begin() {
  const session = await reached();
  const texts = session.texts;
  const actor = new Actor(texts);
  const clocks = new Clocks(texts);
  const log = new Log(texts, async (before, count) => {
    const found = await olderLog(before, count);
    if (!found) say(texts["connection-lost"]);
    return found ?? [];
  });
  const board = new Board(byId("board"), texts, () => {}, say);
  const part =
    session.role === "opponent" ? new Opponent(actor, session, board)
    : session.role === "arbiter" ? new Arbiter(actor, session)
    : null;

  // Once: a page that is loaded anew while it is being loaded anew may not come back. Who signs in or out hears
  // of it twice, by the answer and by the end of his old session's stream.
  const become = () => {
    if (stream.ended) return;
    stream.end();
    location.reload();
  };

  // What another role sees is not for this page, nor another game that is shown at this address later. Where one
  // that was followed is played, the page has other parts.
  const isAnother = (now) => ["role", "game", "isFollowed"].some((each) => now[each] !== session[each]);

  signing(session, texts, become);
  board.build(session.side ?? null, session.side === "black");
  byId("board-flip").addEventListener("click", () => board.build(board.acting, !board.flipped));

  let wasAway = false;
  const stream = new Stream({
    connected: (is) => {
      const was = byId("connection").hidden;
      show(byId("connection"), !is);
      if (is !== was) say(texts[is ? "connection-back" : "connection-lost"]);
      if (!is) wasAway = true;
    },
    // The line was cut: meanwhile somebody may have signed in or out in another tab of this browser.
    doubted: async () => {
      const now = await askSession().catch(() => session);
      if (isAnother(now) || now.needsPin) become();
    },
    clocks: (message) => clocks.set(message),
    closed: () => {
      stream.end();
      for (const id of ["arbiter", "arbiter-questions", "sign", "signing", "signout"]) show(byId(id), false);
      setText(byId("connection").firstElementChild, texts.closed);
      show(byId("connection"), true);
      if (!isShown(document.activeElement)) goOn();
      if (!actor.patience.giveUp(texts.closed)) say(texts.closed);
    },
    state: ({ state, log: entries, from, total }) => {
      if (isAnother(state)) {
        become();
        return;
      }
      actor.seen = state.mark;
      board.chess960 = state.chess960;
      show(byId("game"), true);
      showState(state, texts);
      // Not before: what stands above it has found its lines now, and nothing moves away under a click.
      show(byId("signing"), session.role === "spectator");
      board.update(state.board, state.last);
      clocks.set(state.clocks);
      const fresh = log.take(entries, from, total);
      part?.state(state, texts, fresh, wasAway);
      wasAway = false;
      document.documentElement.dataset.ply = state.ply;
    },
  });
  if (!session.needsPin) stream.open();
  addEventListener("pagehide", () => stream.close());
  addEventListener("pageshow", (event) => {
    if (event.persisted) stream.open();
  });
}

// Who I am: asked until it is answered. The page itself has come, and nobody would load it again for the rest.
async function reached() {
  const connection = byId("connection");
  for (;;) {
    try {
      const session = await askSession();
      if (!connection.hidden) say(session.texts["connection-back"]);
      show(connection, false);
      return session;
    } catch (error) {
      if (error instanceof Refused) throw error;
      if (connection.hidden) say(connection.textContent);
      show(connection, true);
      await pause(2000);
    }
  }
}

function signing(session, texts, become) {
  const side = session.side ? texts[`side-${session.side}`] : "";
  setText(byId("role"), session.needsPin ? "" : fill(texts[`role-${session.role}`], { side }));
  const roles = session.roles.filter((role) => role !== "spectator" || session.needsPin);
  byId("signin-role").replaceChildren(...roles.map((role) => new Option(texts[`as-${role}`], role)));
  show(byId("signing"), session.needsPin);
  show(byId("signout"), session.hasPin);
  byId("signin-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const pin = byId("signin-pin");
    unmark(pin);
    const answer = await send("/signin", { role: byId("signin-role").value, pin: pin.value });
    tell(answer.sentence ?? texts["no-answer"], answer.ok || !answer.sentence ? null : pin);
    if (answer.ok) {
      become();
    } else {
      // It is hidden: what is typed next takes its place.
      pin.focus();
      pin.select();
    }
  });
  byId("signout").addEventListener("click", async () => {
    const answer = await send("/signout", {});
    // Loaded anew without a line, the page would be gone.
    if (answer.ok) become();
    else say(answer.sentence ?? texts["no-answer"]);
  });
}

// A key held down was pressed once: it carries nothing out twice and answers no question that it has brought up.
addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter" && event.target.tagName !== "TEXTAREA") event.preventDefault();
});

begin().catch((error) => say(String(error.message ?? error)));
