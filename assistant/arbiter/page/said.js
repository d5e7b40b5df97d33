// What somebody is told: in the live region, which stays in view, or beside the field that is wrong.

import { byId, isShown } from "./shown.js";

let count = 0;

// The one live region there is: behind an open dialog no screen reader finds the page's own, so it has another. The
// same sentence twice is told twice. Return what stands there now.
export function say(sentence) {
  count += 1;
  const line = document.createElement("p");
  line.textContent = sentence + (count % 2 ? "" : "\u00A0");
  (document.querySelector("dialog[open] .told") ?? byId("result")).replaceChildren(line);
  fit();
  return line;
}

// Take away what is not so any more.
export function hush() {
  for (const region of [byId("result"), ...document.querySelectorAll(".told")]) region.replaceChildren();
  fit();
}

// Say what an answer says. What is wrong in a field stands beside it, and is heard on the way there: said in the
// live region as well it would be heard twice.
export function tell(sentence, field = null) {
  if (!field || !isShown(field)) {
    say(sentence);
    return;
  }
  const line = mark(field, sentence);
  const at = document.activeElement;
  const isOnTheWay = at === document.body || field.form.contains(at);
  if (at === field || !isOnTheWay) {
    say(sentence);
  } else {
    hush();
    line.scrollIntoView({ block: "nearest" });
    field.focus();
  }
}

function mark(field, sentence) {
  unmark(field);
  const line = document.createElement("p");
  line.id = `${field.id}-wrong`;
  line.className = "wrong";
  line.textContent = sentence;
  (field.closest("p") ?? field).after(line);
  field.setAttribute("aria-invalid", "true");
  field.dataset.described = field.getAttribute("aria-describedby") ?? "";
  field.setAttribute("aria-describedby", `${line.id} ${field.dataset.described}`.trim());
  field.addEventListener("input", () => unmark(field), { once: true });
  return line;
}

// A field that is sent again, or changed, is wrong no longer.
export function unmark(field) {
  if (!field.hasAttribute("aria-invalid")) return;
  byId(`${field.id}-wrong`)?.remove();
  field.removeAttribute("aria-invalid");
  if (field.dataset.described) field.setAttribute("aria-describedby", field.dataset.described);
  else field.removeAttribute("aria-describedby");
}

// What is too long for the region can be scrolled with the keyboard.
function fit() {
  const region = byId("result");
  if (region.scrollHeight > region.clientHeight + 1) region.tabIndex = 0;
  else region.removeAttribute("tabindex");
  coverNothing(region, "--told");
}

// What stays in view covers nothing that has the focus, or gets it: its height is known to the style sheet.
export function coverNothing(region, name) {
  document.documentElement.style.setProperty(name, `${region.offsetHeight}px`);
  const at = document.activeElement;
  if (at !== document.body && !region.contains(at) && isUnder(at, region)) at.scrollIntoView({ block: "nearest" });
}

function isUnder(element, region) {
  const { top, bottom } = element.getBoundingClientRect();
  const covered = region.getBoundingClientRect();
  return bottom > covered.top && top < covered.bottom;
}

new ResizeObserver(fit).observe(byId("result"));
