// The board: a table that a screen reader walks, and a drawing that it does not see.

const GLYPHS = { K: "♔", Q: "♕", R: "♖", B: "♗", N: "♘", P: "♙", k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
// Light signs on a dark ground: there the filled men are the white ones.
const ON_DARK = Object.fromEntries(Object.keys(GLYPHS).map((man) => [man, GLYPHS[swapped(man)]]));
const FILES = "abcdefgh";
const PLAIN = "\uFE0E"; // a man is a sign here, no picture in colours

export class Board {
  constructor(table, texts, onMove, say) {
    this.table = table;
    this.texts = texts;
    this.onMove = onMove;
    this.say = say;
    this.flipped = false;
    this.acting = null;
    this.men = {};
    this.last = [];
    this.chosen = null;
    this.at = null;
    this.cells = {};
    table.addEventListener("keydown", (event) => this.key(event));
    table.addEventListener("click", (event) => {
      const square = event.target.closest("button")?.dataset.square;
      if (square) this.press(square);
    });
  }

  // Who acts: "white", "black", or null where nobody moves men here.
  build(acting, flipped) {
    this.acting = acting;
    this.flipped = flipped;
    if (!acting) this.chosen = null;
    const ranks = flipped ? "12345678" : "87654321";
    const files = flipped ? [...FILES].reverse().join("") : FILES;
    const head = document.createElement("tr");
    head.append(document.createElement("td"));
    for (const file of files) head.append(header("col", file, this.texts.file.replace("{file}", file)));
    this.table.tHead.replaceChildren(head);
    const rows = [];
    this.cells = {};
    for (const rank of ranks) {
      const row = document.createElement("tr");
      row.append(header("row", rank, this.texts.rank.replace("{rank}", rank)));
      for (const file of files) {
        const square = file + rank;
        const cell = document.createElement("td");
        cell.id = `sq-${square}`;
        if ((FILES.indexOf(file) + Number(rank)) % 2 === 1) cell.classList.add("dark");
        const inside = document.createElement(acting ? "button" : "div");
        inside.className = "square";
        const words = document.createElement("span");
        words.className = "hidden-text";
        inside.append(words);
        if (acting) {
          inside.type = "button";
          inside.dataset.square = square;
          inside.tabIndex = -1;
        }
        cell.append(inside);
        row.append(cell);
        this.cells[square] = { cell, inside, words };
      }
      rows.push(row);
    }
    this.table.tBodies[0].replaceChildren(...rows);
    if (acting) this.reach(this.at || (acting === "white" ? "e2" : "e7"), false);
    this.update(this.men, this.last);
  }

  update(men, last) {
    // A man that is not there any more cannot be moved.
    if (this.chosen && men[this.chosen] !== this.men[this.chosen]) this.chosen = null;
    this.men = men;
    this.last = last;
    for (const [square, { cell, inside, words }] of Object.entries(this.cells)) {
      const man = men[square];
      const drawn = man ? GLYPHS[man] + PLAIN : "";
      if ((inside.dataset.man ?? "") !== drawn) {
        inside.dataset.man = drawn;
        inside.dataset.onDark = man ? ON_DARK[man] + PLAIN : "";
      }
      const said = [this.acting ? square : "", this.man(square)].filter(Boolean);
      if (square === this.chosen) said.push(this.texts.taken);
      if (square === last[0]) said.push(this.texts["last-from"]);
      if (square === last[1]) said.push(this.texts["last-to"]);
      const text = said.join(", ");
      if (words.textContent !== text) words.textContent = text;
      cell.classList.toggle("last", last.includes(square));
      cell.classList.toggle("chosen", square === this.chosen);
    }
  }

  man(square) {
    const man = this.men[square];
    return man ? this.texts[`piece-${man}`] : this.texts.empty;
  }

  reach(square, focus = true) {
    if (this.at && this.cells[this.at]) this.cells[this.at].inside.tabIndex = -1;
    this.at = square;
    this.cells[square].inside.tabIndex = 0;
    if (focus) this.cells[square].inside.focus();
  }

  key(event) {
    const square = event.target.closest("button")?.dataset.square;
    if (!square || event.ctrlKey || event.altKey || event.metaKey) return;
    const way = this.flipped ? -1 : 1;
    const file = FILES.indexOf(square[0]);
    const rank = Number(square[1]) - 1;
    const steps = {
      ArrowLeft: [-way, 0], ArrowRight: [way, 0], ArrowUp: [0, way], ArrowDown: [0, -way],
      Home: [this.flipped ? 7 - file : -file, 0], End: [this.flipped ? -file : 7 - file, 0],
    };
    if (event.key === "Escape" && this.chosen) {
      this.choose(null);
      this.say(this.texts["man-dropped"]);
    } else if (steps[event.key]) {
      const [across, up] = steps[event.key];
      const next = [file + across, rank + up];
      if (next.every((each) => each >= 0 && each < 8)) this.reach(FILES[next[0]] + (next[1] + 1));
    } else {
      return;
    }
    event.preventDefault();
  }

  choose(square) {
    this.chosen = square;
    this.update(this.men, this.last);
  }

  press(square) {
    if (!this.acting) return;
    this.reach(square, true);
    const man = this.men[square];
    const own = man && (man === man.toUpperCase()) === (this.acting === "white");
    const from = this.chosen;
    if (from === square) {
      this.choose(null);
      this.say(this.texts["man-dropped"]);
    } else if (from && !own) {
      this.choose(null);
      this.onMove(from, square, this.men[from]);
    } else if (own && from && this.isCastling(from, square)) {
      this.choose(null);
      this.onMove(from, square, this.men[from]);
    } else if (man) {
      this.choose(square);
      this.say(this.texts["man-chosen"].replace("{square}", square).replace("{man}", this.man(square)));
    } else {
      this.say(`${square}, ${this.texts.empty}`);
    }
  }

  // In Chess960 a player castles by putting the king on his own rook.
  isCastling(from, to) {
    return this.men[from]?.toLowerCase() === "k" && this.men[to]?.toLowerCase() === "r" && this.chess960;
  }
}

function swapped(man) {
  return man === man.toUpperCase() ? man.toLowerCase() : man.toUpperCase();
}

function header(scope, text, name) {
  const cell = document.createElement("th");
  cell.scope = scope;
  cell.textContent = text;
  cell.setAttribute("aria-label", name);
  return cell;
}
