// The first view: defects, totals, what is open, how it went.
function overview(view) {
  view.innerHTML = defects() + criteria() + level() + changes() + openList() + infeasibleList() + `<div class="two">${plot()}${functionTable()}</div>` + about();
}

function defects() {
  const bad = D.defects.filter((d) => !d.contract), broken = D.defects.filter((d) => d.contract);
  if (!D.defects.length) return "";
  const one = (d) => {
    const file = D.files[d.file];
    const line = file && file.text ? file.text[d.line - 1] : null;
    const where = file ? `<a href="${href({ v: "source", f: d.file, l: d.line, t: d.test })}">${esc(file.name)}:${d.line}</a>` : "";
    return `<div class="defect"><span class="badge ${d.contract ? "" : "bad"}">${esc(d.kind)}</span>
      <div><span class="what">${esc(d.message)}</span>${d.contract ? ` <span class="faint">unless</span> ${esc(d.contract)}` : ""} <span class="faint">at</span> ${where}</div>
      <div>${d.test === null ? "" : `<a class="chip" href="${href({ v: "source", f: d.file, l: d.line, t: d.test })}">path of ${esc(D.tests[d.test].name)}</a>`}</div>
      ${line === null || line === undefined ? "" : `<pre class="quote">${esc(line.trim())}</pre>`}
      ${d.test === null ? "" : `<div class="quote small mono">${esc(brief(D.tests[d.test]))}</div>`}</div>`;
  };
  const part = (title, list) => list.length ? `<section>${title}${list.map(one).join("")}</section>` : "";
  return part(`<h2 class="bad">${plural(bad.length, "defect")}</h2>`, bad)
    + part(`<h2>What callers must not do</h2><p class="faint">These only happen if a caller breaks what the code seems to expect.</p>`, broken);
}
const brief = (test) => test.inputs.map((i) => i[0] + " = " + i[1]).join(", ");

function criteria() {
  const one = (c, index) => {
    const [name, all, covered, infeasible, open] = c;
    const decided = all ? 100 * (covered + infeasible) / all : 100;
    const link = (v, n) => `<a href="${href({ v: "objectives", c: D.criteria.length > 1 ? index : null, k: v })}"><span class="dot v${v}"></span><b>${number(n)}</b> ${VERDICT[v]}</a>`;
    return `<div class="card"><div class="head"><h3>${esc(name)}</h3><span class="faint">${plural(all, "objective")}</span></div>
      <div class="big">${decided === 100 ? "100" : decided.toFixed(1)}%<span class="faint small"> decided</span></div>
      ${bar([covered, infeasible, open])}<div class="legend">${link(0, covered)}${link(1, infeasible)}${link(2, open)}</div></div>`;
  };
  const s = D.stats;
  const card = `<div class="card"><div class="head"><h3>tests</h3><span class="faint">${esc(D.strategy)}, ${(D.wall_ms / 1000).toFixed(1)} s</span></div>
    <div class="big">${number(D.tests.length)}</div><div class="legend"><span><b>${number(s.executions)}</b> runs</span>
    <span><b>${number(s.solver_calls)}</b> solver calls</span><span class="${D.defects.some((d) => !d.contract) ? "bad" : ""}"><b>${D.defects.filter((d) => !d.contract).length}</b> ${D.defects.filter((d) => !d.contract).length === 1 ? "defect" : "defects"}</span></div></div>`;
  return `<section aria-label="Summary"><div class="cards">${D.criteria.map(one).join("")}${card}</div></section>`;
}

// What an auditor asks for.
function level() {
  if (!D.level) return "";
  const [title, demands] = D.level;
  const row = ([demand, criterion, all, covered, infeasible, open, met]) => `<tr><td>${esc(demand)}</td><td>${esc(criterion)}</td><td class="n">${number(covered)} of ${number(all)}</td>
    <td class="n">${number(infeasible)}</td><td class="n ${open ? "v2" : "faint"}">${number(open)}</td><td class="${met ? "v0" : "v2"}">${met ? "yes" : "no"}</td></tr>`;
  return `<section id="level"><h2>Structural coverage: ${esc(title)}</h2><div class="wrap"><table><thead><tr><th>Demand</th><th>Criterion</th><th class="n">covered by tests</th>
    <th class="n">justified by proof</th><th class="n">open</th><th>met</th></tr></thead><tbody>${demands.map(row).join("")}</tbody></table></div></section>`;
}

// What became of the tests of an earlier run.
function changes() {
  const s = D.since;
  if (!s) return "";
  const failing = s.failing.map(([test, why]) => `<li><b class="mono">${esc(test)}</b> no longer passes: ${esc(why)}</li>`);
  const link = (word) => (id) => {
    const o = objectives[id];
    return `<li><span class="faint">${word}</span> <a href="${sourceLink(o)}">${place(o)}</a> <code>${esc(says(o))}</code>${o.v === 0 ? " " + testChips(o.tests, 2) : " " + badge(o.v)}</li>`;
  };
  const items = [...failing, ...s.lost.map(link("lost")), ...s.new.map(link("new"))];
  const more = items.length > 12 ? `<p class="faint small">and ${items.length - 12} more</p>` : "";
  return `<section id="since"><h2>Since <code>${esc(s.directory)}</code></h2><p>${plural(s.kept, "test")} kept, ${number(D.tests.length - s.kept)} added.</p>
    <ul class="plain-list">${items.slice(0, 12).join("")}</ul>${more}</section>`;
}

function openList() {
  const open = objectives.filter((o) => o.v === 2);
  if (!open.length) return "";
  const row = (o) => `<tr><td class="nowrap"><a href="${sourceLink(o)}">${place(o)}</a></td><td><code>${esc(says(o))}</code></td>
    <td class="reason small">${esc(o.reason === null ? "" : D.reasons[o.reason][0])}</td></tr>`;
  const more = open.length > 8 ? `<p><a href="${href({ v: "objectives", k: 2 })}">All ${number(open.length)} open objectives</a></p>` : "";
  return `<section><h2>Still open: ${number(open.length)}</h2><div class="wrap"><table><thead><tr><th>Place</th><th>Objective</th><th>Reason</th></tr></thead>
    <tbody>${open.slice(0, 8).map(row).join("")}</tbody></table></div>${more}</section>`;
}

function infeasibleList() {
  const list = objectives.filter((o) => o.v === 1);
  if (!list.length) return "";
  const row = (o) => `<tr><td class="nowrap"><a href="${sourceLink(o)}">${place(o)}</a></td><td><code>${esc(says(o))}</code></td>
    <td class="reason small">${esc(o.reason === null ? "" : D.reasons[o.reason][0])}</td></tr>`;
  const more = list.length > 8 ? `<p><a href="${href({ v: "objectives", k: 1 })}">All ${number(list.length)} infeasible objectives</a></p>` : "";
  return `<section id="infeasible"><h2>Infeasible: ${number(list.length)}</h2><div class="wrap"><table><thead><tr><th>Place</th><th>Objective</th><th>Reason</th></tr></thead>
    <tbody>${list.slice(0, 8).map(row).join("")}</tbody></table></div>${more}</section>`;
}

// Covered, and infeasible on top of it, over time. A short run has no story to tell.
function plot() {
  if (D.wall_ms < 2000) return "";
  const total = objectives.length, last = counts(objectives);
  // Proofs are no runs: the last of them show at the end.
  const points = D.timeline.length ? [...D.timeline, [D.wall_ms, 0, last[0], last[1]]] : [];
  if (!points.length || !total) return "";
  const w = 560, h = 240, l = 48, b = 24, t = 12, r = 12;
  // Before the first run there is only the compiler.
  const end = Math.max(D.wall_ms, points[points.length - 1][0], 1), start = Math.min(points[0][0], end - 1);
  const x = (ms) => l + (w - l - r) * (ms - start) / (end - start), y = (n) => h - b - (h - b - t) * n / total;
  const steps = (value) => {
    let path = `M${x(start)} ${y(0)}`, last = y(0);
    for (const p of points) { const next = y(value(p)); path += `L${x(p[0]).toFixed(1)} ${last.toFixed(1)}L${x(p[0]).toFixed(1)} ${next.toFixed(1)}`; last = next; }
    return path + `L${x(end)} ${last.toFixed(1)}`;
  };
  const covered = steps((p) => p[2]), both = steps((p) => p[2] + p[3]);
  const close = `L${x(end)} ${y(0)}Z`;
  const ticks = [0, .25, .5, .75, 1].map((f) => `<text x="${x(start + (end - start) * f)}" y="${h - 6}" text-anchor="${f === 1 ? "end" : f ? "middle" : "start"}">${((start + (end - start) * f) / 1000).toFixed(end < 4000 ? 2 : end < 20000 ? 1 : 0)} s</text>`);
  const marks = [0, .5, 1].map((f) => `<line class="grid" x1="${l}" x2="${w - r}" y1="${y(total * f)}" y2="${y(total * f)}"/><text x="${l - 6}" y="${y(total * f) + 4}" text-anchor="end">${number(Math.round(total * f))}</text>`);
  return `<section><h2>Coverage over time</h2><svg class="plot" viewBox="0 0 ${w} ${h}" role="img" aria-label="Objectives decided over time">
    ${marks.join("")}${ticks.join("")}<path class="area1" d="${both}${close}"/><path class="under" d="${covered}${close}"/><path class="area0" d="${covered}${close}"/></svg>
    <div class="legend"><span class="v0"><span class="dot"></span>covered</span><span class="v1"><span class="dot"></span>infeasible</span></div></section>`;
}

function functionTable() {
  const rows = [...group(objectives, (o) => o.fn)].map(([fn, list]) => ({ fn, list, c: counts(list) }));
  rows.sort((a, b) => b.c[2] - a.c[2] || b.list.length - a.list.length);
  const row = ({ fn, list, c }) => `<tr><td><a href="${href({ v: "source", f: list[0].file, l: list[0].line })}"><code>${esc(D.functions[fn])}</code></a></td>
    <td class="bars">${bar(c)}</td><td class="n v0">${c[0]}</td><td class="n v1">${c[1]}</td><td class="n ${c[2] ? "v2" : "faint"}">${c[2]}</td></tr>`;
  const more = rows.length > 30 ? `<p class="faint small">and ${rows.length - 30} more, see the tree</p>` : "";
  return `<section><h2>Functions</h2><div class="wrap"><table><thead><tr><th>Function</th><th></th><th class="n">covered</th><th class="n">infeasible</th><th class="n">open</th></tr></thead>
    <tbody>${rows.slice(0, 30).map(row).join("")}</tbody></table></div>${more}</section>`;
}

function about() {
  const s = D.stats;
  const rows = [["command", "covenant " + D.command], ["version", D.version], ["strategy", D.strategy + ", seed " + D.seed],
    ["runs", number(s.executions) + " with " + number(s.instructions) + " instructions"],
    ["solver", `${number(s.solver_calls)} calls, ${number(s.solver_sat)} sat, ${number(s.solver_unsat)} unsat, ${number(s.solver_unknown)} unknown, ${(s.solver_ms / 1000).toFixed(1)} s`],
    ["memory", (s.peak_rss_bytes / 1048576).toFixed(0) + " MiB"]];
  const list = D.assumptions.length ? `<section><h2>Assumptions</h2><p class="faint small">Tests were looked for among these inputs. A branch is called infeasible only if no input that C and your own assumptions allow takes it.</p>
    <ul class="plain-list">${D.assumptions.map((a) => `<li>${esc(a)}</li>`).join("")}</ul></section>` : "";
  return `<div class="two">${list}<section><h2>The run</h2><dl class="facts">${rows.map((r) => `<dt>${r[0]}</dt><dd>${esc(r[1])}</dd>`).join("")}</dl></section></div>`;
}
