// What one does oneself: asked back where it cannot be taken back, carried out once, and told.

import { byId, goOn, isShown, setText, show } from "./shown.js";
import { newKey, send } from "./net.js";
import { Patience } from "./patience.js";
import { hush, say, tell, unmark } from "./said.js";

export class Actor {
  constructor(texts) {
    this.texts = texts;
    this.patience = new Patience(texts);
    this.busy = new Map();
    this.asking = null;
    this.shown = null;
    this.seen = "";
  }

  // Carry something out. A second click while it is under way does nothing; of something else it is said that it is
  // not carried out.
  async act(name, verb, values, button, extra = {}) {
    const meant = JSON.stringify(values);
    if (this.busy.has(name)) {
      if (this.busy.get(name) !== meant) say(this.texts["one-at-a-time"]);
      return { ok: false };
    }
    this.busy.set(name, meant);
    const fields = button?.form?.elements;
    for (const field of fields ?? []) unmark(field);
    button?.setAttribute("aria-disabled", "true");
    const { seen } = this;
    try {
      const content = { do: verb, values, seen, key: newKey(), ...extra };
      const answer = await this.patience.during((signal) => send("/act", content, signal), button);
      // What comes next is meant for what one has just done, which may be shown later than it is answered.
      if (answer.mark && this.seen === seen) this.seen = answer.mark;
      if (!extra.preview || !answer.ok) {
        tell(answer.sentence ?? this.texts["no-answer"], fields?.namedItem(answer.field ?? ""));
      }
      return answer;
    } finally {
      this.busy.delete(name);
      button?.removeAttribute("aria-disabled");
    }
  }

  // Ask what would happen, show it, and do it only then: in the position that it was said of. What is secret is not
  // sent to ask.
  async confirmed(verb, values, button, secrets = {}) {
    const { seen } = this;
    const asked = await this.asked(verb, values, button);
    if (!asked.ok) return asked;
    const { ok, sentence, ...shown } = asked;
    return this.act(verb, verb, { ...values, ...shown, ...secrets }, button, { seen });
  }

  // One at a time: "Do it" answers the one question that is shown.
  async asked(verb, values, button) {
    // The dialog is closed, and the focus back, a moment before its answer is told.
    if (this.shown && !byId("confirm").open) await this.shown;
    const meant = JSON.stringify([verb, values]);
    if (this.asking !== null) {
      if (this.asking !== meant) say(this.texts["one-at-a-time"]);
      return { ok: false };
    }
    this.asking = meant;
    try {
      const asked = await this.act(`${verb}-preview`, verb, values, button, { preview: true });
      if (!asked.ok) return asked;
      this.shown = confirm(asked.sentence);
      if (await this.shown) return asked;
      say(this.texts.cancelled);
      return { ok: false };
    } finally {
      this.asking = this.shown = null;
    }
  }
}

export function confirm(sentence) {
  setText(byId("confirm-text"), sentence);
  return choice(byId("confirm"), { "confirm-do": true, "confirm-cancel": false }, false);
}

export function promotion() {
  const pieces = { "promote-q": "q", "promote-r": "r", "promote-b": "b", "promote-n": "n", "promote-cancel": null };
  return choice(byId("promotion"), pieces, null);
}

// A dialog keeps the focus and gives it back; Escape is the answer that does nothing. A second one does not open
// beside it.
function choice(dialog, buttons, otherwise) {
  if (dialog.open) return Promise.resolve(otherwise);
  return new Promise((resolve) => {
    const before = document.activeElement;
    let answer = otherwise;
    const handlers = Object.entries(buttons).map(([id, value]) => {
      const handler = () => {
        answer = value;
        dialog.close();
      };
      byId(id).addEventListener("click", handler);
      return [id, handler];
    });
    dialog.addEventListener(
      "close",
      () => {
        for (const [id, handler] of handlers) byId(id).removeEventListener("click", handler);
        dialog.querySelector(".told").replaceChildren();
        // The browser has given the focus back already, and whoever is quick has gone on from there.
        const { activeElement } = document;
        if (activeElement === document.body || !isShown(activeElement)) {
          if (isShown(before)) before.focus();
          else goOn();
        }
        resolve(answer);
      },
      { once: true },
    );
    dialog.showModal();
  });
}

export class Opponent {
  constructor(actor, session, board) {
    this.actor = actor;
    this.board = board;
    this.stage = "";
    this.seen = null;
    this.pressed = "";
    this.moving = null;
    show(byId("opponent"), true);
    show(byId("board-help"), true);
    byId("own-claim-of").replaceChildren(...session.claims.map(([value, text]) => new Option(text, value)));
    byId("move-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      const field = byId("move-text");
      const move = field.value;
      const answer = await this.move(move, byId("move-do"));
      // What he has written meanwhile stays.
      if (answer.ok && field.value === move) field.value = "";
      field.focus();
    });
    for (const verb of ["offer-draw", "decline-draw"]) {
      byId(verb).addEventListener("click", async () => {
        if (await this.hasMoved()) actor.act(verb, verb, {}, byId(verb));
      });
    }
    byId("accept-draw").addEventListener("click", async () => {
      if (await this.hasMoved()) actor.confirmed("accept-draw", {}, byId("accept-draw"));
    });
    // Beside the board too: on a telephone the other one is far away.
    for (const id of ["press", "press-here"]) byId(id).addEventListener("click", () => this.press(byId(id)));
    byId("resign").addEventListener("click", () => actor.confirmed("resign", {}, byId("resign")));
    byId("sign").addEventListener("click", () => actor.confirmed("sign", {}, byId("sign")));
    byId("call-arbiter").addEventListener("click", () =>
      actor.act("stop-clock", "stop-clock", {}, byId("call-arbiter")),
    );
    const takesMove = () => session.claimsWithMove.includes(byId("own-claim-of").value);
    const offerMove = () => show(byId("own-claim-with"), takesMove());
    byId("own-claim-of").addEventListener("change", offerMove);
    offerMove();
    byId("claim-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      const field = byId("own-claim-move");
      const intended = takesMove() ? { move: field.value } : {};
      const values = { of: byId("own-claim-of").value, ...intended };
      const answer = await actor.confirmed("claim", values, byId("claim-do"));
      // It was meant for this claim alone; what cannot be read stays to be put right.
      if (answer.sentence && answer.field !== "move") field.value = "";
    });
    byId("seal-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      const field = byId("seal-move");
      const move = field.value;
      const isUnderWay = actor.busy.has("seal");
      await actor.act("seal", "seal", { move }, byId("seal-do"));
      if (!isUnderWay && field.value === move) field.value = "";
      field.focus();
    });
    board.onMove = async (from, to, man) => {
      const { seen } = actor;
      let move = from + to;
      if (man?.toLowerCase() === "p" && (to[1] === "8" || to[1] === "1")) {
        const piece = await promotion();
        if (!piece) {
          say(actor.texts.cancelled);
          return;
        }
        move += piece;
      }
      this.move(move, null, { seen });
    };
  }

  move(move, button, extra = {}) {
    this.pressed = "";
    const isUnderWay = this.actor.busy.has("move");
    const doing = this.actor.act("move", "move", { move }, button, extra);
    if (!isUnderWay) this.moving = doing;
    return doing;
  }

  // A press or an offer belongs to the move that is still under way on a slow line. Where that one is not taken,
  // nobody presses without a move.
  async hasMoved() {
    return !this.actor.busy.has("move") || (await this.moving).ok;
  }

  // As long as nothing has happened since, a second tap was meant for the first: it has the same answer.
  async press(button) {
    if (this.pressed) {
      say(this.pressed);
      return;
    }
    if (!(await this.hasMoved())) return;
    const answer = await this.actor.act("press", "press", {}, button);
    this.pressed = answer.ok ? answer.sentence : "";
  }

  state(state, texts, entries, wasAway) {
    if (state.clocks.running === state.side || entries.some((entry) => !entry.own)) this.pressed = "";
    const over = state.phase === "over";
    const stage = over ? "over" : state.seals ? "seals" : "plays";
    const focused = document.activeElement;
    const signed = state.signatures.find((each) => each.who === state.side)?.signed;
    show(byId("sign"), over && !signed);
    setText(byId("sign"), texts["sign-mine"].replace("{result}", state.result));
    show(byId("sealing"), stage === "seals");
    show(byId("opponent"), stage === "plays");
    show(byId("press-here"), stage === "plays");
    this.offerBoard(state.seals ? null : state.side);
    if (!isShown(focused)) goOn();
    const news = entries.filter((entry) => entry.news).map((entry) => entry.text);
    // A server that was started anew does not know which entries this page has had.
    if (wasAway && !news.length && state.offered && this.seen && !this.seen.offered) news.push(state.offered);
    // What one's own action brings is told by its answer.
    if (this.stage && this.stage !== stage && !this.actor.busy.size) {
      say(stage === "seals" ? texts.sealing : state.status.join(" "));
    } else if (news.length) {
      say([...(wasAway ? [texts["connection-back"]] : []), ...new Set(news)].join(" "));
    } else if (!wasAway && this.isOutdated(state, entries)) {
      hush();
    }
    this.stage = stage;
    this.seen = state;
  }

  // Whether somebody else has gone on, so that what was told last is not so any more.
  isOutdated(state, entries) {
    if (!this.seen || this.board.chosen || entries.at(-1)?.own) return false;
    const starts = state.clocks.running === state.side && this.seen.clocks.running !== state.side;
    return starts || state.ply !== this.seen.ply;
  }

  // A sealed move is written unseen: while it is, the board only shows.
  offerBoard(acting) {
    const { board } = this;
    if (board.acting === acting) return;
    show(byId("board-help"), acting !== null);
    board.build(acting, board.flipped);
  }
}
