// The arbiter: open questions first, and a form for everything he can do.

import { byId, setList, setText, show } from "./shown.js";
import { hush, say } from "./said.js";

// In the language of the page, and as the reader's country writes it where it speaks that language.
const LANGUAGE = document.documentElement.lang;
const LOCALE = navigator.languages.find((each) => each.startsWith(LANGUAGE)) ?? LANGUAGE;
const TIME = new Intl.DateTimeFormat(LOCALE, { dateStyle: "short", timeStyle: "medium" });

function inLanguage(text, language) {
  const span = document.createElement("span");
  if (language) span.lang = language;
  span.textContent = text;
  return span;
}

export class Arbiter {
  constructor(actor, session) {
    this.actor = actor;
    this.texts = session.texts;
    this.question = null;
    this.completed = 0;
    this.waiting = [];
    this.hurried = null;
    this.told = null;
    this.refused = "";
    show(byId("arbiter"), session.forms.length > 0);
    show(byId("followed"), session.forms.length === 0);
    show(byId("arbiter-questions"), true);
    show(byId("security"), true);
    this.build(session.forms);
  }

  build(forms) {
    const groups = new Map();
    for (const form of forms) groups.set(form.group, [...(groups.get(form.group) ?? []), form]);
    for (const [group, members] of groups) {
      const heading = document.createElement("h3");
      heading.textContent = this.texts[group];
      byId("forms").append(heading);
      if (group === "group-adjourn") {
        const note = document.createElement("p");
        note.textContent = this.texts.paper;
        byId("forms").append(note, this.sheets());
      }
      for (const form of members) byId("forms").append(this.form(form));
    }
  }

  // The sheets of the envelope, as soon as it is closed.
  sheets() {
    const list = document.createElement("ul");
    list.id = "envelope-sheets";
    list.hidden = true;
    for (const [kind, name] of [["html", "envelope-print"], ["brf", "envelope-braille"]]) {
      const link = document.createElement("a");
      link.href = `/envelope.${kind}`;
      link.textContent = this.texts[name];
      const item = document.createElement("li");
      item.append(link);
      list.append(item);
    }
    return list;
  }

  form(form) {
    const details = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = form.title;
    const element = document.createElement("form");
    element.id = `form-${form.do}`;
    element.autocomplete = "off";
    element.noValidate = true;
    element.setAttribute("aria-label", form.title);
    if (form.note) {
      const note = document.createElement("p");
      note.textContent = form.note;
      element.append(note);
    }
    for (const field of form.fields) element.append(this.field(form, field));
    if (form.do === "claim") this.offerPly(element);
    const button = document.createElement("button");
    button.id = `${form.do}-next`;
    button.textContent = this.texts.next;
    element.append(button);
    element.addEventListener("submit", async (event) => {
      event.preventDefault();
      const values = this.values(form);
      const filled = JSON.stringify(values);
      if (form.do === "rule") {
        values.question = this.question?.id ?? "";
        values.questionText = this.question?.text ?? "";
      }
      const answer = await this.actor.confirmed(form.do, values, button, this.secrets(form));
      // What he has filled in meanwhile stays.
      if (answer.ok && JSON.stringify(this.values(form)) === filled) element.reset();
      if (Number.isInteger(answer.restore)) byId("restore-ply").value = answer.restore;
    });
    details.append(summary, element);
    return details;
  }

  field(form, field) {
    const id = `${form.do}-${field.name}`;
    const line = document.createElement("p");
    line.className = `field ${field.kind}`;
    const label = document.createElement("label");
    label.htmlFor = id;
    label.textContent = field.label;
    let input;
    if (field.choices.length) {
      input = document.createElement("select");
      input.append(...field.choices.map(([value, text]) => new Option(text, value)));
    } else if (field.kind === "lines") {
      input = document.createElement("textarea");
    } else {
      input = document.createElement("input");
      input.type = { tick: "checkbox", secret: "password" }[field.kind] ?? "text";
      input.autocomplete = "off";
      if (field.kind === "count") input.inputMode = "numeric";
      input.spellcheck = false;
    }
    input.id = id;
    input.name = field.name;
    if (field.required && field.kind !== "tick") input.setAttribute("aria-required", "true");
    line.append(...(field.kind === "tick" ? [input, " ", label] : [label, input]));
    return line;
  }

  // Which half-move he has seen two hands used for is asked when he says that he has, and is then the last one:
  // before he sends it the next may have been made. If the last one was taken back the field stays empty.
  offerPly(claim) {
    const { side, of, ply } = claim.elements;
    const line = ply.closest("p");
    const offer = () => {
      const isSeen = side.value === "arbiter" && of.value === "two-hands";
      if (isSeen === line.hidden) ply.value = isSeen ? this.completed || "" : "";
      show(line, isSeen);
    };
    claim.addEventListener("change", offer);
    claim.addEventListener("reset", () => setTimeout(offer));
    offer();
  }

  values(form) {
    return Object.fromEntries(
      form.fields
        .filter((field) => field.kind !== "secret")
        .map((field) => {
          const input = byId(`${form.do}-${field.name}`);
          return [field.name, field.kind === "tick" ? input.checked : input.value];
        }),
    );
  }

  // A secret is for one try, and does not stay in its field.
  secrets(form) {
    return Object.fromEntries(
      form.fields
        .filter((field) => field.kind === "secret")
        .map((field) => {
          const input = byId(`${form.do}-${field.name}`);
          const { value } = input;
          input.value = "";
          return [field.name, value];
        }),
    );
  }

  state(state, texts, entries, wasAway) {
    this.question = state.questions[0] ?? null;
    this.completed = state.completed;
    const waiting = [...state.calls, ...state.questions.map((each) => this.inFull(each))];
    this.tellWhatWaits(waiting, entries, wasAway);
    this.tellWhoIsHurried(state.hurried);
    const next = ` ${texts["question-next"]}`;
    show(byId("questions-none"), waiting.length === 0);
    setList(byId("questions"), waiting.map((each, index) => each + (index === state.calls.length ? next : "")));
    if (byId("envelope-sheets")) show(byId("envelope-sheets"), state.hasEnvelope);
    setText(byId("security-count"), this.texts["security-count"].replace("{n}", state.security.count));
    this.showRefused(state.security.last);
  }

  inFull(question) {
    const article = question.article ? `(${this.texts.article} ${question.article})` : "";
    return [question.text, question.proposal, article].filter(Boolean).join(" ");
  }

  // Each answer is in the language of whoever asked.
  showRefused(last) {
    const shown = JSON.stringify(last);
    if (shown === this.refused) return;
    this.refused = shown;
    const items = last.map((each) => {
      const item = document.createElement("li");
      const time = document.createElement("time");
      time.dateTime = each.time;
      time.textContent = TIME.format(new Date(each.time));
      item.append(time, ` ${each.address} `, inLanguage(each.answer, each.language), " ");
      item.append(inLanguage(`[${each.refused}]`, "en"));
      return item;
    });
    byId("security-list").replaceChildren(...items);
  }

  // Whose time becomes short is told once; whoever opens the page finds it in the status.
  tellWhoIsHurried(hurried) {
    const fresh = hurried.filter((each) => this.hurried && !this.hurried.includes(each));
    if (fresh.length) say(fresh.join(" "));
    this.hurried = hurried;
  }

  // What has come to wait for him is told once; what he has brought about himself, by the answer to it.
  tellWhatWaits(waiting, entries, wasAway) {
    const fresh = waiting.filter((each) => !this.waiting.includes(each));
    // A server that was started anew does not know which entries this page has had.
    if (fresh.length && (wasAway || entries.some((entry) => entry.news))) {
      this.told = say([...(wasAway ? [this.texts["connection-back"]] : []), ...fresh].join(" "));
    } else if (!waiting.length && this.told?.isConnected) {
      hush();
    }
    this.waiting = waiting;
  }
}
