// Who waits long for an answer: he is told that he does, and can give it up.

import { byId, fill, goOn, isShown, setText, show } from "./shown.js";
import { coverNothing, say } from "./said.js";

const LATE = 4000; // milliseconds after which an answer is late

export class Patience {
  constructor(texts) {
    this.sentence = fill(texts.late, { button: texts["give-up"] });
    this.given = new Set();
    this.late = 0;
    setText(byId("waiting-text"), this.sentence);
    new ResizeObserver(() => coverNothing(byId("waiting"), "--waiting")).observe(byId("waiting"));
    byId("give-up").addEventListener("click", () => this.giveUp(texts["no-answer"]));
  }

  // Let somebody wait while `work` is under way, which gets the signal that he waits no longer; `from` is where he
  // goes on.
  async during(work, from) {
    const given = new AbortController();
    this.given.add(given);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.late += 1;
      show(byId("waiting"), true);
      say(this.sentence);
    }, LATE);
    try {
      return await work(given.signal);
    } finally {
      clearTimeout(timer);
      this.given.delete(given);
      if (isLate) this.end(from);
    }
  }

  end(from) {
    this.late -= 1;
    if (this.late) return;
    const wasHere = byId("waiting").contains(document.activeElement);
    show(byId("waiting"), false);
    if (!wasHere) return;
    if (from && isShown(from)) from.focus();
    else goOn();
  }

  // Let everybody who waits be told this; return whether anybody waits.
  giveUp(sentence) {
    for (const each of this.given) each.abort(sentence);
    return this.given.size > 0;
  }
}
