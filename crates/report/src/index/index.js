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
  for (const row of document.querySelectorAll("tbody tr")) row.hidden = !row.textContent.toLowerCase().includes(q);
});
