// Objectives, decisions and tests as lists.
function objectivesView(view) {
  const c = num("c"), k = num("k"), fn = num("fn");
  const options = (list, chosen, all) => `<option value="">${all}</option>` + list.map(([value, name]) => `<option value="${value}"${value === chosen ? " selected" : ""}>${esc(name)}</option>`).join("");
  const base = objectives.filter((o) => (c === null || o.crit === c) && (fn === null || o.fn === fn));
  const n = counts(base);
  const toggle = (v) => `<button class="chip v${v}" data-verdict="${v}" aria-pressed="${k === v}">${SIGN[v]} ${VERDICT[v]} ${number(n[v])}</button>`;
  const several = D.criteria.length > 1 ? `<select id="crit" aria-label="criterion">${options(D.criteria.map((x, i) => [i, x[0]]), c, "every criterion")}</select>` : "";
  const functions = D.functions.map((x, i) => [i, x]).sort((a, b) => (a[1] < b[1] ? -1 : 1));
  view.innerHTML = `<div class="filters" role="search">${[0, 1, 2].map(toggle).join("")}${several}
    <select id="fn" aria-label="function">${options(functions, fn, "every function")}</select>
    <input id="find" type="search" placeholder="find in conditions, files, reasons  ( / )" aria-label="find" value="${esc(state.q || "")}"></div>
    <p class="faint small" id="found"></p><div id="list" class="wrap"></div>`;
  const list = () => {
    const q = (state.q || "").toLowerCase();
    const words = (o) => (says(o) + " " + D.functions[o.fn] + " " + D.files[o.file]?.name + ":" + o.line + " " + (o.reason === null ? "" : D.reasons[o.reason][0])).toLowerCase();
    const hits = base.filter((o) => (k === null || o.v === k) && (!q || words(o).includes(q)));
    $("found").textContent = plural(hits.length, "objective") + (hits.length < objectives.length ? ` of ${number(objectives.length)}` : "");
    lazyList($("list"), hits, objectiveRow, "<table class=\"objectives\"><thead><tr><th>Verdict</th><th>Place</th><th>Function</th><th>Objective</th><th>Evidence</th></tr></thead><tbody>", "</tbody></table>");
  };
  list();
  $("find").addEventListener("input", (e) => { state.q = e.target.value; history.replaceState(null, "", href(state)); list(); });
  $("fn").addEventListener("change", (e) => patch({ fn: e.target.value }));
  if ($("crit")) $("crit").addEventListener("change", (e) => patch({ c: e.target.value }));
}
function objectiveRow(o) {
  const why = o.v === 0 ? testChips(o.tests, 4) : `<span class="small reason">${esc(o.reason === null ? "" : D.reasons[o.reason][0])}</span>${o.proof ? ` <a class="small" href="${esc(encodeURI(o.proof))}">certificate</a>` : ""}`;
  const what = o.details && o.details.mutant ? mutant(o) : `<code>${esc(says(o))}</code>`;
  const crit = D.criteria.length > 1 ? ` <span class="faint small">${esc(D.criteria[o.crit][0])}</span>` : "";
  return `<tr><td>${badge(o.v)}</td><td class="nowrap"><a href="${sourceLink(o)}">${place(o)}</a></td><td><code>${esc(D.functions[o.fn])}</code></td><td>${what}${crit}</td><td>${why}</td></tr>`;
}

// MC/DC: the objectives of a decision together.
const testNumber = new Map(D.tests.map((t, i) => [t.name, i]));
let knownDecisions = null;
function decisions() {
  if (knownDecisions) return knownDecisions;
  const found = group(objectives.filter((o) => o.details && o.details.decision), (o) => o.details.decision.id);
  knownDecisions = [...found].map(([id, list]) => ({ id, list, d: list[0].details.decision, c: counts(list) }));
  return knownDecisions;
}
function decisionsView(view) {
  const open = (one) => one.c[2] > 0;
  const list = [...decisions()].sort((a, b) => open(b) - open(a));
  view.innerHTML = `<h2>Decisions</h2><p class="faint">Each condition must be shown to change the outcome of its decision by itself. A pair of evaluations shows it; what a short circuit skips is not evaluated.</p><div id="list"></div>`;
  lazyList($("list"), list, (one) => `<div class="card" style="margin-bottom:.9rem"><div class="head"><h3><code>${esc(one.d.text)}</code></h3>
    <a href="${href({ v: "source", f: one.list[0].file, l: one.d.line })}">${esc(D.files[one.list[0].file].name)}:${one.d.line}</a></div>${bar(one.c)}
    <div class="wrap">${truthTable(one)}</div></div>`, "<div>", "</div>");
}
function truthTable(one) {
  const names = one.d.conditions;
  const sign = (v) => (v === null || v === undefined ? "–" : v ? "T" : "F");
  const evaluation = (o, e) => `<tr><td></td>${names.map((_, i) => `<td class="${i === o.details.condition ? "changes" : ""}">${sign(e.values[i])}</td>`).join("")}<td class="changes">${sign(e.result)}</td>
    <td>${testNumber.has(e.test) ? testChip(testNumber.get(e.test)) : esc(e.test)}</td></tr>`;
  const rows = one.list.map((o) => {
    const pair = o.details.pair || [];
    const i = o.details.condition;
    const head = `<tr><td colspan="${names.length + 3}"><b>${i === undefined || i === null || !names[i] ? esc(says(o)) : `<code>${esc(names[i])}</code>`}</b> ${badge(o.v)}
      <span class="small faint">${o.v && o.reason !== null ? esc(D.reasons[o.reason][0]) : ""}</span></td></tr>`;
    return head + pair.map((e) => evaluation(o, e)).join("");
  });
  return `<table class="truth"><thead><tr><th>Condition</th>${names.map((n) => `<th><code>${esc(n)}</code></th>`).join("")}<th>outcome</th><th>test</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function testsView(view) {
  view.innerHTML = `<div class="filters" role="search"><input id="find" type="search" placeholder="find in names and inputs  ( / )" aria-label="find" value="${esc(state.q || "")}"></div>
    <p class="faint small" id="found"></p><div id="list"></div>`;
  const list = () => {
    const q = (state.q || "").toLowerCase();
    const words = (t) => (t.name + " " + brief(t) + " " + t.outcome + " " + (t.trap || "")).toLowerCase();
    const hits = D.tests.map((t, i) => [t, i]).filter(([t]) => !q || words(t).includes(q));
    $("found").textContent = plural(hits.length, "test");
    lazyList($("list"), hits, testCard, "<div>", "</div>");
  };
  list();
  $("find").addEventListener("input", (e) => { state.q = e.target.value; history.replaceState(null, "", href(state)); list(); });
}
function testCard([t, i]) {
  const bad = t.outcome !== "returned" && t.outcome !== "exited";
  const first = t.first.map((id) => objectives[id]);
  const link = (o) => `<a class="chip" href="${href({ v: "source", f: o.file, l: o.line, o: o.id, t: i })}"><code>${esc(says(o))}</code></a>`;
  const more = first.length > 12 ? `<span class="faint small">and ${first.length - 12} more</span>` : "";
  return `<article class="test" id="test-${i}"><div class="head"><b class="mono">${esc(t.name)}</b>
    <span class="badge ${bad ? "bad" : "v0"}">${esc(t.outcome)}</span><span class="faint small">${plural(byTest[i].length, "objective")}</span>
    <a class="chip go" href="${href({ v: "source", f: fileOfTest(i), t: i })}">show its path</a></div>
    <div class="body"><div><h3>Inputs</h3>${t.inputs.length ? values(t.inputs) : '<p class="faint">none</p>'}</div>
    <div><h3>What happens</h3>${t.trap ? `<p class="bad">${esc(t.trap)}</p>` : ""}${t.effects.length ? values(t.effects) : t.trap ? "" : '<p class="faint">it ends</p>'}</div>
    ${first.length ? `<div class="wide"><h3>First to reach</h3><div class="chips">${first.slice(0, 12).map(link).join("")}${more}</div></div>` : ""}</div></article>`;
}
