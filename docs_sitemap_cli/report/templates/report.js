"use strict";
const STEP = 250;
const table = document.getElementById("all-pages");
const body = table.tBodies[0];
const filter = document.getElementById("filter");
const section = document.getElementById("section");
const status = document.getElementById("status");
const more = document.getElementById("more");
const heads = [...table.tHead.rows[0].cells];
const rows = [...body.rows].map((row) => ({
  row,
  text: row.textContent.toLowerCase(),
  section: row.cells[1].textContent,
  keys: [...row.cells].map((cell) => cell.dataset.key ?? cell.textContent.trim().toLowerCase()),
}));
let limit = STEP;

function show() {
  const words = filter.value.toLowerCase().split(/\s+/);
  const chosen = section.selectedIndex > 0 ? section.value : null;
  const found = rows.filter((one) =>
    (chosen === null || one.section === chosen) && words.every((word) => one.text.includes(word)));
  body.replaceChildren(...found.slice(0, limit).map((one) => one.row));
  const all = `${found.length.toLocaleString("en")} ${found.length === 1 ? "page" : "pages"}`;
  status.textContent = found.length > limit ? `${limit.toLocaleString("en")} of ${all}` : all;
  more.hidden = found.length <= limit;
}

function sort(head) {
  const column = heads.indexOf(head);
  const order = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
  // The empty keys of pages without a date are always at the end.
  const compare = new Intl.Collator("en", { numeric: true }).compare;
  rows.sort((a, b) => {
    const [one, other] = [a.keys[column], b.keys[column]];
    return (one === "") - (other === "") || order * compare(one, other);
  });
  for (const other of heads) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", order > 0 ? "ascending" : "descending");
  show();
}

for (const head of heads) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...head.childNodes);
  head.append(button);
  button.addEventListener("click", () => sort(head));
}
for (const input of [filter, section]) {
  input.addEventListener("input", () => {
    limit = STEP;
    show();
  });
}
more.addEventListener("click", () => {
  limit += STEP;
  show();
});
addEventListener("beforeprint", () => {
  limit = Infinity;
  show();
  for (const details of document.querySelectorAll("details")) details.open = true;
});
for (const tools of document.querySelectorAll(".tools")) tools.hidden = false;
show();
body.classList.add("ready");
