// What everybody sees: brought up to date in place, so that nobody's focus or reading point is lost.

export const byId = (id) => document.getElementById(id);

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function show(element, visible) {
  if (element.hidden === visible) element.hidden = !visible;
}

export function isShown(element) {
  return element.isConnected && element.getClientRects().length > 0;
}

// Lead whoever was in a part that is gone to where he goes on.
export function goOn() {
  ["seal-move", "sign", "status-heading"].map(byId).find(isShown)?.focus();
}

// Let a list have these texts, keeping the elements that are there.
export function setList(list, texts, tag = "li") {
  while (list.children.length > texts.length) list.lastElementChild.remove();
  texts.forEach((text, index) => {
    const item = list.children[index] ?? list.appendChild(document.createElement(tag));
    setText(item, text);
  });
}

export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

const pad = (number) => String(number).padStart(2, "0");

export function timeText(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return `${Math.floor(seconds / 3600)}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
}

export class Clocks {
  constructor(texts) {
    this.texts = texts;
    this.now = null;
    setInterval(() => this.draw(), 200);
  }

  set(clocks) {
    this.now = { ...clocks, at: performance.now() };
    this.draw();
  }

  draw() {
    if (!this.now) return;
    for (const side of ["white", "black"]) {
      const left = this.now[side];
      const runs = this.now.running === side;
      const passed = runs ? Math.max(0, performance.now() - this.now.at - this.now.delay) : 0;
      setText(byId(`clock-${side}-time`), left === null ? this.texts["clock-none"] : timeText(left - passed));
      setText(byId(`clock-${side}-state`), left === null ? "" : this.texts[runs ? "clock-runs" : "clock-stands"]);
      byId(`clock-${side}`).classList.toggle("running", runs);
    }
  }
}

export function showMoves(moves, texts) {
  show(byId("moves"), moves.length > 0);
  show(byId("moves-none"), moves.length === 0);
  const rows = [];
  moves.forEach((move, index) => {
    const last = rows.at(-1);
    if (!last || move.side === "white") rows.push({ number: move.number, cells: {} });
    rows.at(-1).cells[move.side] = { ...move, ply: index + 1 };
  });
  const body = byId("moves").tBodies[0];
  while (body.children.length > rows.length) body.lastElementChild.remove();
  rows.forEach((row, index) => {
    let line = body.children[index];
    if (!line) {
      line = body.insertRow();
      const head = document.createElement("th");
      head.scope = "row";
      line.append(head);
      line.insertCell();
      line.insertCell();
    }
    setText(line.children[0], `${row.number}.`);
    ["white", "black"].forEach((side, place) => {
      const cell = line.children[place + 1];
      const move = row.cells[side];
      const marks = [];
      if (move?.offer) marks.push(texts["offer-mark"]);
      if (move?.illegal) marks.push(texts["illegal-mark"]);
      setText(cell, move ? move.text + (marks.length ? ` (${marks.join(", ")})` : "") : "");
      const id = move ? `m-${move.ply}` : "";
      if (cell.id !== id) cell.id = id;
    });
  });
}

export function showCaptured(captured, texts) {
  for (const side of ["white", "black"]) {
    const men = captured[side].map((man) => texts[`piece-${man}`]);
    setText(byId(`captured-${side}`), fill(texts[`captured-${side}`], { men: men.join(", ") || texts.none }));
  }
}

function article(entry, texts) {
  if (!entry.article) return "";
  const borrowed = entry.borrowed ? `, ${texts.borrowed}` : "";
  return ` (${texts.article} ${entry.article}${borrowed})`;
}

export class Log {
  constructor(texts, older) {
    this.texts = texts;
    this.first = 0;
    this.total = 0;
    this.has = false;
    this.list = byId("log");
    byId("log-older").addEventListener("click", async () => {
      const { first } = this;
      const entries = await older(first, 100);
      // Asked for twice they are shown once.
      if (!entries.length || first !== this.first) return;
      this.list.append(...entries.reverse().map((entry) => this.item(entry)));
      this.first = entries.at(-1).n;
      this.count();
      if (byId("log-older").hidden) this.list.lastElementChild.focus();
    });
  }

  item(entry) {
    const item = document.createElement("li");
    item.value = entry.n + 1;
    item.tabIndex = -1;
    const more = [entry.detail, entry.by].filter(Boolean).map((each) => ` – ${each}`).join("");
    item.textContent = `${entry.at} ${entry.text}${article(entry, this.texts)}${more}`;
    return item;
  }

  // A message brings the entries from number `from` on; anything between is asked for when it is wanted. Return
  // those that have come since the last message.
  take(entries, from, total) {
    const goesOn = this.has && from === this.total && total >= this.total;
    this.has = true;
    if (!goesOn) {
      this.list.replaceChildren();
      this.first = from;
    }
    this.list.prepend(...entries.map((entry) => this.item(entry)).reverse());
    this.total = total;
    this.count();
    return goesOn ? entries : [];
  }

  count() {
    const shown = this.list.children.length;
    setText(byId("log-count"), fill(this.texts["log-count"], { shown, total: this.total }));
    show(byId("log-older"), this.first > 0);
  }
}

export function showState(state, texts) {
  setText(byId("mode"), state.modeText);
  setText(byId("mode-help"), state.modeHelp);
  setText(byId("laws"), state.laws);
  for (const side of ["white", "black"]) {
    setText(byId(`name-${side}`), state[side].name);
    setText(byId(`moves-${side}`), state[side].name);
  }
  setList(byId("status"), state.status, "p");
  setText(byId("board-caption"), fill(texts["board-caption"], { ply: state.ply }));
  showMoves(state.moves, texts);
  showCaptured(state.captured, texts);
  show(byId("signing-result"), state.signatures.length > 0);
  setList(byId("signatures"), state.signatures.map((each) => each.text));
  setList(byId("screen"), state.screen.map((each) => each.text + article(each, texts)), "p");
}
