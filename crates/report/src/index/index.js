"use strict";
const theme = (name) => { document.documentElement.dataset.theme = name; };
let kept = null;
try { kept = localStorage.getItem("covenant-theme"); } catch { /* pages from a file may have no storage */ }
theme(kept || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
document.getElementById("theme").addEventListener("click", () => {
  theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  try { localStorage.setItem("covenant-theme", document.documentElement.dataset.theme); } catch { /* it is not kept */ }
});
document.getElementById("find").addEventListener("input", (e) => {
  const q = e.target.value.toLowerCase();
  for (const row of document.querySelectorAll("#functions tbody tr")) row.hidden = !row.textContent.toLowerCase().includes(q);
});
for (const button of document.querySelectorAll("button.file")) {
  button.addEventListener("click", () => {
    const find = document.getElementById("find");
    find.value = find.value === button.textContent ? "" : button.textContent;
    find.dispatchEvent(new Event("input"));
  });
}
for (const button of document.querySelectorAll("button.sort")) {
  button.addEventListener("click", () => {
    const cell = button.parentElement, table = cell.closest("table"), at = cell.cellIndex;
    const down = cell.getAttribute("aria-sort") === "descending" ? 1 : -1;
    for (const other of cell.parentElement.children) other.removeAttribute("aria-sort");
    cell.setAttribute("aria-sort", down < 0 ? "descending" : "ascending");
    const value = (row) => row.cells[at] ? row.cells[at].textContent : "";
    const number = cell.classList.contains("n");
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => number ? down * ((parseFloat(value(a)) || 0) - (parseFloat(value(b)) || 0))
      : -down * value(a).localeCompare(value(b)));
    table.tBodies[0].append(...rows);
  });
}
// Thousands of rows take a second to lay out: the first screens come before the rest.
addEventListener("load", () => setTimeout(() => document.getElementById("functions").classList.remove("later"), 50));
