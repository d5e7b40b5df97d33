// What goes to the server and what comes from it.

let token = "";

// In the language of this page: another one may be open in another language.
function address(path, values = {}) {
  return `${path}?${new URLSearchParams({ ...values, lang: document.documentElement.lang })}`;
}

export async function session() {
  const { ok, status, answer } = await within(LONGEST, null, address("/session"));
  if (!ok) throw new Refused(answer.sentence || String(status));
  token = answer.token;
  return answer;
}

// What the server does not give, however often it is asked.
export class Refused extends Error {}

// Return null if they cannot be had now.
export async function olderLog(before, count) {
  const found = await within(LONGEST, null, address("/log", { before, count })).catch(() => null);
  return found?.ok ? found.answer.log : null;
}

const LONGEST = 20000; // milliseconds for one try: the table answers within ten, or the server says that it does not
const LONGEST_PAUSE = 3000; // milliseconds between two tries
const ASLEEP = 180000; // milliseconds between two tries that no page needs that is awake, in the background either

// Send something once, or, if somebody waits for it, until it is answered or he has given up: then the reason of
// his signal is the sentence. It has the same key as long as it is tried: the server does nothing twice. Who has put
// his telephone away waits no longer: his call of the arbiter would stop the clocks minutes later.
export async function send(path, content, signal = null) {
  let tried = Date.now();
  for (let attempt = 1; !signal?.aborted && Date.now() - tried < ASLEEP; attempt += 1) {
    tried = Date.now();
    try {
      const response = await within(LONGEST, signal, address(path), {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Hector-Token": token },
        body: JSON.stringify(content),
      });
      const { answer } = response;
      if (!signal || response.status !== 503) return { ok: response.ok && answer.ok !== false, ...answer };
    } catch {
      if (!signal) break;
    }
    await pause(Math.min(500 * attempt, LONGEST_PAUSE), signal);
  }
  return { ok: false, sentence: signal?.reason ?? null };
}

// A line that is dead without a word would be waited for until the browser has had enough.
async function within(milliseconds, signal, url, options) {
  const ended = new AbortController();
  const end = () => ended.abort();
  const timer = setTimeout(end, milliseconds);
  signal?.addEventListener("abort", end);
  try {
    const response = await fetch(url, { ...options, signal: ended.signal });
    return { status: response.status, ok: response.ok, answer: await response.json() };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

export function pause(milliseconds, signal = null) {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", resolve, { once: true });
  });
}

export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");
}

const SILENCE = 8000; // milliseconds without a word from the server that mean that the line is dead

export class Stream {
  constructor(handlers) {
    this.handlers = handlers;
    this.last = "";
    this.source = null;
    this.heard = 0;
    this.opened = false;
    this.ended = false;
    setInterval(() => this.check(), 1000);
    for (const event of ["online", "pageshow", "focus"]) addEventListener(event, () => this.check());
    document.addEventListener("visibilitychange", () => this.check());
  }

  open() {
    if (this.ended) return;
    if (this.source) this.source.close();
    this.heard = performance.now();
    const source = new EventSource(address("/events", { since: this.last }));
    this.source = source;
    const take = (name) => (event) => {
      if (source !== this.source) return;
      this.heard = performance.now();
      if (event.lastEventId) this.last = event.lastEventId;
      this.handlers.connected(true);
      this.handlers[name](JSON.parse(event.data));
    };
    source.addEventListener("state", take("state"));
    source.addEventListener("clocks", take("clocks"));
    source.addEventListener("closed", take("closed"));
    source.addEventListener("open", () => {
      if (this.opened) this.handlers.doubted();
      this.opened = true;
    });
    source.addEventListener("error", () => {
      if (source === this.source) this.handlers.connected(false);
    });
  }

  close() {
    if (this.source) this.source.close();
    this.source = null;
  }

  // Nothing more will come: nobody is to wait for it.
  end() {
    this.ended = true;
    this.close();
  }

  check() {
    if (!this.source) return;
    const silent = performance.now() - this.heard;
    const refused = this.source.readyState === EventSource.CLOSED;
    if (refused ? silent > 2000 : silent > SILENCE) {
      this.handlers.connected(false);
      if (refused) this.handlers.doubted();
      this.open();
    }
  }
}
