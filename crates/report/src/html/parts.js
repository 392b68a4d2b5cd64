// Pieces of pages that several views use.
function bar(c) {
  const all = c[0] + c[1] + c[2] || 1;
  const part = (n, v) => (n ? `<i class="v${v}" style="width:${(100 * n / all).toFixed(2)}%"></i>` : "");
  return `<span class="bar" role="img" aria-label="${c[0]} covered, ${c[1]} infeasible, ${c[2]} open">${c.map(part).join("")}</span>`;
}
const badge = (v) => `<span class="badge v${v}">${SIGN[v]} ${VERDICT[v]}</span>`;
const place = (o) => `${esc(D.files[o.file] ? D.files[o.file].name : "")}:${o.line}`;
const testChip = (t) => `<a class="chip" href="${href({ v: "source", f: fileOfTest(t), t })}" title="show the path of this test">${esc(D.tests[t].name)}</a>`;
function testChips(tests, most) {
  const more = tests.length - most;
  const rest = more > 0 ? `<span class="faint small">and ${more} more</span>` : "";
  return `<span class="chips">${tests.slice(0, most).map(testChip).join("")}${rest}</span>`;
}
function fileOfTest(t) {
  const o = byTest[t].find((o) => D.functions[o.fn] === D.function) || byTest[t][0];
  return o ? o.file : 0;
}

// Why an objective has its verdict, for its box in the source and for lists.
function evidence(o, most) {
  if (o.v === 0) return `<p>Taken by ${plural(o.tests.length, "test")}.</p>${testChips(o.tests, most)}`;
  const reason = o.reason === null ? ["", []] : D.reasons[o.reason];
  if (o.v === 1) return proof(o, reason[0]);
  const tips = reason[1].map((tip) => `<li>${tip.replace(/--[a-z-]+( '[^']*'| [A-Z0-9][A-Za-z0-9=]*)?/g, (m) => `<code>${esc(m)}</code>`)}</li>`);
  return `<p class="reason">Neither a test nor a proof: ${esc(reason[0] || "no reason given")}.</p>
    <p><b>What to try</b></p><ul class="try">${tips.join("")}</ul>`;
}
function proof(o, reason) {
  const steps = (o.proof && D.proofs[o.proof]) || [];
  const where = (s) => (s.lines.length ? `line${s.lines.length > 1 ? "s" : ""} ${s.lines.join(", ")}` : esc(s.place));
  const cell = (s) => `<tr><td class="nowrap faint">${where(s)}</td><td><code>${esc(s.holds)}</code></td></tr>`;
  const table = steps.length ? `<p class="small faint">What holds in every run that comes to these lines:</p>
    <div class="steps"><table><tbody>${steps.map(cell).join("")}</tbody></table></div>` : "";
  const file = o.proof ? `<p class="small">Certificate: <a href="${esc(encodeURI(o.proof))}">${esc(o.proof)}</a> &middot; <code>covenant check</code> has a second solver confirm it.</p>` : "";
  return `<p>No input does this: ${esc(reason || "proved")}.${o.prover ? ` <span class="faint">Proved by ${esc(o.prover)}.</span>` : ""}</p>${table}${file}`;
}
function mutant(o) {
  const m = o.details && o.details.mutant;
  return m ? `<p><code>${esc(m.from)}</code> becomes <code>${esc(m.to)}</code> <span class="faint">(${esc(m.operator)})</span></p>` : "";
}
function facts(o) {
  const list = (o.details && o.details.facts) || [];
  return list.length ? `<dl class="facts">${list.map((f) => `<dt>${esc(f[0])}</dt><dd>${esc(f[1])}</dd>`).join("")}</dl>` : "";
}
const values = (rows) => `<dl class="values">${rows.map((r) => `<dt class="mono">${esc(r[0])}</dt><dd class="mono">${esc(r[1])}</dd>`).join("")}</dl>`;

// Rows that appear when one scrolls to them: `row` makes the text of one.
function lazyList(box, list, row, open, close) {
  const size = 100;
  let shown = 0;
  box.innerHTML = open + close;
  const body = box.querySelector("tbody") || box.firstElementChild || box;
  const end = document.createElement("div");
  box.append(end);
  const add = () => {
    body.insertAdjacentHTML("beforeend", list.slice(shown, shown + size).map(row).join(""));
    shown += size;
    if (shown >= list.length) { watch.disconnect(); end.remove(); }
  };
  const watch = new IntersectionObserver((seen) => { if (seen.some((s) => s.isIntersecting)) add(); }, { rootMargin: "600px" });
  add();
  if (shown < list.length) watch.observe(end);
}
