// Views, the tree, keys.
const VIEWS = [["overview", "Overview", null, overview], ["source", "Source", null, sourceView],
  ["objectives", "Objectives", objectives.length, objectivesView], ["tests", "Tests", D.tests.length, testsView]];
if (decisions().length) VIEWS.splice(3, 0, ["decisions", "Decisions", decisions().length, decisionsView]);
let shownView = "";

function show() {
  readState();
  const view = VIEWS.find((one) => one[0] === state.v);
  $("tabs").innerHTML = VIEWS.map(([id, name, count]) => `<a href="${href({ v: id, t: id === "source" ? state.t : null, f: id === "source" ? state.f : null })}"${id === view[0] ? ' aria-current="page"' : ""}>${name}${count === null ? "" : `<span class="count">${number(count)}</span>`}</a>`).join("");
  drawTree();
  view[3]($("view"));
  if (shownView && shownView !== view[0]) { if (num("l") === null) scrollTo(0, 0); $("view").focus({ preventScroll: true }); }
  shownView = view[0];
}

function drawTree() {
  const narrow = matchMedia("(max-width: 56rem)").matches;
  const at = state.v === "source" ? num("f") ?? 0 : null;
  const files = D.files.map((file, f) => {
    const list = byFile.get(f) || [];
    if (!list.length) return "";
    const functions = [...group(list, (o) => o.fn)].sort((a, b) => a[1][0].line - b[1][0].line);
    const many = D.objectives.length > 2000 && f !== at;
    const items = many ? [] : functions.map(([fn, own]) => {
      const c = counts(own);
      return `<li class="function"><a href="${href({ v: "source", f, l: own[0].line, t: state.t })}"><span class="name mono" title="${esc(D.functions[fn])}">${esc(D.functions[fn])}</span><span class="small ${c[2] ? "v2" : "faint"}">${c[2] ? c[2] + " open" : own.length}</span>${bar(c)}</a></li>`;
    });
    return `<li class="file"><a href="${href({ v: "source", f })}"${f === at ? ' aria-current="true"' : ""}><span class="name mono" title="${esc(file.name)}">${esc(file.name)}</span><span class="small">${functions.length > 1 ? functions.length : ""}</span></a></li>${items.join("")}`;
  });
  const key = at + " " + state.t + narrow;
  if ($("tree").dataset.key === key) return;
  $("tree").dataset.key = key;
  const list = `<ul>${files.join("")}</ul>`;
  $("tree").innerHTML = narrow ? `<details><summary>Files and functions</summary>${list}</details>` : list;
}

function head() {
  $("name").textContent = D.function;
  const open = objectives.some((o) => o.v === 2);
  const [cls, words] = D.defects.length ? ["bad", plural(D.defects.length, "defect")] : open ? ["open", { timeout: "time was up", limit: "a limit was reached", interrupted: "interrupted" }[D.status] || "something is open"] : ["good", "all decided"];
  $("status").className = "pill " + cls;
  $("status").textContent = words;
  $("keys").innerHTML = `<h2>Keys</h2><dl class="facts">${[["1 … " + VIEWS.length, "views"], ["/", "find"], ["n p", "next, previous mark in the source"], ["o O", "next, previous open objective"],
    ["t T", "path of the next, previous test"], ["Esc", "close a box, leave a path"], ["d", "light or dark"], ["?", "these keys"]].map((k) => `<dt>${k[0].split(" ").map((one) => (one === "…" ? one : `<kbd>${one}</kbd>`)).join(" ")}</dt><dd>${k[1]}</dd>`).join("")}</dl>
    <form method="dialog"><button class="plain">close</button></form>`;
}

function setTheme(theme, keep) {
  document.documentElement.dataset.theme = theme;
  // Pages from a file may have no storage.
  if (keep) try { localStorage.setItem("covenant-theme", theme); } catch { /* it is not kept */ }
}
function firstTheme() {
  let kept = null;
  try { kept = localStorage.getItem("covenant-theme"); } catch { /* none is kept */ }
  const dark = matchMedia("(prefers-color-scheme: dark)");
  setTheme(kept || (dark.matches ? "dark" : "light"), false);
  dark.addEventListener("change", (e) => setTheme(e.matches ? "dark" : "light", false));
}
const otherTheme = () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark", true);

// The mark after the current one, in the order of the source.
function step(forward, wanted) {
  const list = objectives.filter(wanted).sort((a, b) => a.file - b.file || a.line - b.line || a.col - b.col || a.id - b.id);
  if (!list.length) return;
  let at = list.findIndex((o) => o.id === num("o"));
  if (at < 0) {
    const f = num("f") ?? 0, l = num("l") ?? 0;
    at = list.findIndex((o) => o.file > f || (o.file === f && o.line > l)) - (forward ? 1 : 0);
    if (at < -1) at = forward ? -1 : 0;
  }
  const o = list[(at + (forward ? 1 : -1) + list.length) % list.length];
  go({ v: "source", f: o.file, l: o.line, o: o.id, t: state.t });
}
function stepTest(change) {
  const t = num("t"), next = t === null ? (change > 0 ? 0 : D.tests.length - 1) : t + change;
  if (D.tests[next]) go({ v: "source", f: fileOfTest(next), t: next });
}

document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName);
  if (e.key === "Escape") { if (typing) e.target.blur(); else if (state.o !== undefined || state.g !== undefined) patch({ o: null, l: null, g: null }); else if (state.t !== undefined) patch({ t: null }); return; }
  if (typing || $("keys").open) return;
  const view = VIEWS[Number(e.key) - 1];
  const acts = { "/": () => { if (!$("find")) go({ v: "objectives" }); setTimeout(() => $("find") && $("find").focus(), 30); }, n: () => step(true, () => true), p: () => step(false, () => true),
    o: () => step(true, (o) => o.v === 2), O: () => step(false, (o) => o.v === 2), t: () => stepTest(1), T: () => stepTest(-1), d: otherTheme, "?": () => $("keys").showModal() };
  if (view) go({ v: view[0] }); else if (acts[e.key]) acts[e.key](); else return;
  e.preventDefault();
});
$("view").addEventListener("click", (e) => {
  const mk = e.target.closest("[data-o]"), all = e.target.closest("[data-g]"), verdict = e.target.closest("[data-verdict]"), test = e.target.closest("button[data-test]"), c = e.target.closest("[data-c]");
  if (mk) toggleObjective(Number(mk.dataset.o));
  else if (all) patch(state.g === all.dataset.g && state.l === all.dataset.l ? { g: null, l: null } : { f: fileView.index, l: all.dataset.l, g: all.dataset.g, o: null });
  else if (verdict) patch({ k: num("k") === Number(verdict.dataset.verdict) ? null : verdict.dataset.verdict });
  else if (test) patch({ t: test.dataset.test, o: null, l: null, g: null });
  else if (c && !getSelection().toString()) toggleObjective(worst(c.dataset.c.split(" ").map(Number)));
});
const worst = (ids) => ids.reduce((a, b) => (objectives[b].v > objectives[a].v ? b : a));
function toggleObjective(id) {
  const o = objectives[id];
  patch(num("o") === id ? { o: null, l: null } : { f: o.file, l: o.line, o: id, g: null });
}
// A mark shows which condition it is about.
for (const [type, on] of [["mouseover", true], ["mouseout", false], ["focusin", true], ["focusout", false]]) {
  $("view").addEventListener(type, (e) => {
    const mk = e.target.closest && e.target.closest(".mk");
    if (!mk) return;
    const of = mk.closest(".row").querySelectorAll(".c");
    of.forEach((c) => { if (c.dataset.c.split(" ").includes(mk.dataset.o)) c.classList.toggle("hot", on); });
  });
}
$("theme").addEventListener("click", otherTheme);
$("help").addEventListener("click", () => $("keys").showModal());
addEventListener("hashchange", show);
addEventListener("resize", () => { drawTree(); });
firstTheme();
head();
show();
