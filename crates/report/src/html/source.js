// The annotated source. Lines are made in blocks, when one scrolls to them.
const BLOCK = 100, LINE_REM = 1.45;
const KEYWORDS = new Set(("auto break case char const continue default do double else enum extern float for goto if inline int long register " +
  "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool bool true false NULL " +
  "size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t").split(" "));
const TOKEN = /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[A-Za-z_]\w*|\d[\w.]*/g;
let fileView = null;

function sourceView(view) {
  const index = num("f") ?? (objectives[0] ? objectives[0].file : 0);
  const file = D.files[index];
  if (!file) { view.innerHTML = "<p>There is no source to show.</p>"; return; }
  // A click inside the same file and path must not move the page.
  if (!fileView || fileView.index !== index || fileView.test !== num("t") || !view.contains(fileView.box)) {
    view.innerHTML = banner() + warning(file) + `<div class="code${num("t") === null ? "" : " following"}">${fileHead(file, index)}<div class="scroll"><div class="lines"></div></div></div>`;
    fileView = prepare(file, index, view.querySelector(".lines"));
    fill(fileView);
    if (fileView.path && fileView.path.size && num("l") === null) scrollToLine(Math.min(...fileView.path));
  }
  showTarget();
}

function fileHead(file, index) {
  const list = byFile.get(index) || [], c = counts(list);
  const lines = file.code ? file.code.reduce((n, s) => n + s[1] - s[0] + 1, 0) : 0;
  return `<div class="filehead"><b class="mono">${esc(file.name)}</b>${bar(c)}<span class="small faint">${c[0]} covered, ${c[1]} infeasible, ${c[2]} open${lines ? `; ${lines} lines with code` : ""}</span></div>`;
}
function warning(file) {
  if (!file.text) return `<p class="warn">The file was not found; objectives stand at their lines.</p>`;
  return file.changed ? `<p class="warn">This file has changed since the run: marks may stand at other places than they should. Run <code>covenant gen</code> again.</p>` : "";
}
function banner() {
  const t = num("t"), test = D.tests[t];
  if (!test) return "";
  return `<div class="banner" role="status"><b>Path of ${esc(test.name)}</b><span class="brief mono small" title="${esc(brief(test))}">${esc(brief(test))}</span>
    <span class="small">${esc(ending(test))}</span>
    <button class="plain" data-test="${t - 1}" ${t ? "" : "disabled"} title="previous test (T)">&lsaquo;</button>
    <button class="plain" data-test="${t + 1}" ${t + 1 < D.tests.length ? "" : "disabled"} title="next test (t)">&rsaquo;</button>
    <button class="plain" data-test="" title="Esc">close</button></div>`;
}
function ending(test) {
  if (test.trap) return test.outcome + ": " + test.trap;
  const returned = test.effects.find((e) => e[0] === "returns" || e[0] === "exits with");
  return returned ? returned.join(" ") : test.outcome;
}

function prepare(file, index, box) {
  const t = num("t"), test = t === null ? null : D.tests[t];
  const text = file.text || blankLines(index);
  const view = { index, test: t, file, box, text, marks: new Map(), ran: new Set(), code: new Set(), dead: new Set(), path: null, comment: openComments(text) };
  for (const [line, list] of group(byFile.get(index) || [], (o) => o.line)) view.marks.set(line, list);
  const add = (set, spans) => { for (const [a, b] of spans) for (let i = a; i <= b; i++) set.add(i); };
  if (file.code) add(view.code, file.code);
  add(view.dead, file.dead);
  for (const one of D.tests) for (const [f, spans] of one.ran) if (f === index) add(view.ran, spans);
  if (test) {
    view.path = new Set();
    for (const [f, spans] of test.ran) if (f === index) add(view.path, spans);
    for (const o of byTest[t]) if (o.file === index) view.path.add(o.line);
  }
  view.defects = group(D.defects.filter((d) => d.file === index), (d) => d.line);
  return view;
}
function blankLines(index) {
  const last = (byFile.get(index) || []).reduce((m, o) => Math.max(m, o.line), 0);
  return Array(last).fill("");
}
// The lines that begin inside a comment.
function openComments(text) {
  const inside = new Set();
  let open = false;
  text.forEach((line, i) => {
    if (open) inside.add(i);
    let rest = line;
    for (;;) {
      if (open) { const end = rest.indexOf("*/"); if (end < 0) break; open = false; rest = rest.slice(end + 2); }
      else {
        const m = /\/\/|\/\*|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?/.exec(rest);
        if (!m || m[0] === "//") break;
        rest = rest.slice(m.index + m[0].length);
        if (m[0] === "/*") open = true;
      }
    }
  });
  return inside;
}

function fill(view) {
  const blocks = [];
  for (let start = 0; start < view.text.length; start += BLOCK) {
    const rows = Math.min(BLOCK, view.text.length - start);
    blocks.push(`<div class="block" data-start="${start}" style="min-height:${rows * LINE_REM}rem"></div>`);
  }
  view.box.innerHTML = blocks.join("");
  const watch = new IntersectionObserver((seen) => seen.forEach((s) => { if (s.isIntersecting) { watch.unobserve(s.target); fillBlock(view, s.target); } }), { rootMargin: "1000px" });
  view.box.querySelectorAll(".block").forEach((block) => watch.observe(block));
  const scroll = view.box.parentElement;
  const measure = () => scroll.style.setProperty("--seen", scroll.clientWidth + "px");
  measure();
  new ResizeObserver(measure).observe(scroll);
}
function fillBlock(view, block) {
  if (block.firstChild) return;
  const start = Number(block.dataset.start);
  const rows = [];
  for (let i = start; i < Math.min(start + BLOCK, view.text.length); i++) rows.push(row(view, i + 1));
  block.innerHTML = rows.join("");
  block.style.minHeight = "";
}
// What the bar beside a line says.
const HIT = { ran: ' title="run by a test"', dead: ' title="no input runs this line"', missed: ' title="not run by any test"' };
function row(view, line) {
  const list = view.marks.get(line) || [], defects = view.defects.get(line) || [];
  let cls = "row";
  if (view.ran.has(line)) cls += " ran"; else if (view.dead.has(line)) cls += " dead"; else if (view.code.has(line)) cls += " missed";
  if (view.path && view.path.has(line)) cls += " path";
  if (defects.length) cls += view.test !== null && defects.some((d) => d.test === view.test) ? " trap end" : " trap";
  const note = defects.map((d) => `<span class="note">${esc(d.kind)}: ${esc(d.message)}</span>`).join("");
  return `<div class="${cls}" id="L${line}"><span class="ln">${line}</span><span class="hit"${HIT[cls.split(" ")[1]] || ""}></span><pre>${colour(view, line, list) || " "}</pre><span class="marks">${marks(view, list)}${note}</span></div>`;
}

// One group of marks for each condition; criteria with many objectives a line have one mark for all.
const conditionKey = (o) => o.crit + ":" + o.col + ":" + o.text;
const APART = new Set(["branch", "condition", "decision", "mcdc"]);
const isApart = (o) => APART.has(D.criteria[o.crit][0]);
function marks(view, list) {
  const groups = [...group(list.filter(isApart), conditionKey).values()];
  const apart = groups.map((g) => `<span class="group">${g.map((o) => mark(view, o)).join("")}</span>`);
  const rest = [...group(list.filter((o) => !isApart(o)), (o) => o.crit)].map(([crit, g]) => {
    const c = counts(g), worst = Math.max(...g.map((o) => o.v)), taken = view.test !== null && g.some((o) => o.tests.includes(view.test)) ? " taken" : "";
    const label = `${D.criteria[crit][0]}: ${c[0]} covered, ${c[1]} infeasible, ${c[2]} open`;
    return `<span class="group"><button class="mk v${worst}${taken}" data-g="${crit}" data-l="${g[0].line}" aria-expanded="false" aria-label="${esc(label)}" title="${esc(label)}">${esc(D.criteria[crit][0])} ${c[0] + c[1]}/${g.length}</button></span>`;
  });
  return apart.concat(rest).join("");
}
function mark(view, o) {
  const name = { true: "T", false: "F", default: "default", independent: "MC/DC" }[o.outcome] || o.outcome.replace(/^case /, "") || D.criteria[o.crit][0];
  const taken = view.test !== null && o.tests.includes(view.test) ? " taken" : "";
  const label = `${says(o)}: ${VERDICT[o.v]}`;
  return `<button class="mk v${o.v}${taken}" data-o="${o.id}" aria-expanded="false" aria-label="${esc(label)}" title="${esc(label)}${o.v ? "" : ", " + plural(o.tests.length, "test")}">${SIGN[o.v] === "✓" ? "" : SIGN[o.v]}${esc(name.slice(0, 18))}</button>`;
}

// Colours of C, with the conditions underlined.
function colour(view, line, list) {
  const text = view.text[line - 1];
  const cuts = [...group(list.filter((o) => o.len && isApart(o)), conditionKey).values()].map((g) => ({ a: g[0].col, b: g[0].col + g[0].len, v: Math.max(...g.map((o) => o.v)), ids: g.map((o) => o.id) }));
  const chars = paint(text, view.comment.has(line - 1));
  let out = "", i = 0;
  const opens = new Map(group(cuts, (c) => c.a)), ends = [];
  while (i <= text.length) {
    while (ends.length && ends[ends.length - 1] === i) { ends.pop(); out += "</span>"; }
    if (i === text.length) break;
    for (const c of (opens.get(i) || []).sort((p, q) => q.b - p.b)) {
      // Conditions nest or are apart; one that would cross is left out.
      if (ends.length && c.b > ends[ends.length - 1]) continue;
      out += `<span class="c v${c.v}" data-c="${c.ids.join(" ")}">`;
      ends.push(c.b);
    }
    let j = i + 1;
    const stop = Math.min(ends.length ? ends[ends.length - 1] : text.length, text.length);
    while (j < stop && chars[j] === chars[i] && !opens.has(j)) j++;
    const piece = esc(text.slice(i, j));
    out += chars[i] ? `<span class="${chars[i]}">${piece}</span>` : piece;
    i = j;
  }
  return out;
}
function paint(text, inComment) {
  const chars = Array(text.length).fill("");
  const put = (a, b, k) => chars.fill(k, a, b);
  let from = 0;
  if (inComment) { const end = text.indexOf("*/"); from = end < 0 ? text.length : end + 2; put(0, from, "m"); }
  const hash = /^\s*#\s*\w+/.exec(text.slice(from));
  if (hash && !from) { put(0, hash[0].length, "p"); from = hash[0].length; }
  TOKEN.lastIndex = from;
  for (let m; (m = TOKEN.exec(text)); ) {
    const c = m[0][0], end = m.index + m[0].length;
    if (m[0].startsWith("//") || m[0].startsWith("/*")) put(m.index, end, "m");
    else if (c === '"' || c === "'") put(m.index, end, "s");
    else if (c >= "0" && c <= "9") put(m.index, end, "d");
    else if (KEYWORDS.has(m[0])) put(m.index, end, "k");
  }
  return chars;
}

// Scrolls to the line of the address and opens the box of its objective.
function showTarget() {
  const line = num("l"), id = num("o"), view = fileView;
  view.box.querySelectorAll(".detail").forEach((d) => d.remove());
  view.box.querySelectorAll(".at").forEach((r) => r.classList.remove("at"));
  view.box.querySelectorAll('[aria-expanded="true"]').forEach((b) => b.setAttribute("aria-expanded", "false"));
  const target = line === null ? null : lineRow(line);
  if (!target) return;
  target.classList.add("at");
  const o = objectives[id];
  if (o && o.file === view.index && o.line === line) openDetail(target, o);
  else if (num("g") !== null) openGroup(target, num("g"), (view.marks.get(line) || []).filter((one) => one.crit === num("g")));
  scrollToLine(line);
}
function lineRow(line) {
  const block = fileView.box.querySelector(`[data-start="${Math.floor((line - 1) / BLOCK) * BLOCK}"]`);
  if (block) fillBlock(fileView, block);
  return $("L" + line);
}
// Only if it is out of sight: what one looks at does not move.
function scrollToLine(line) {
  const row = lineRow(line);
  if (!row) return;
  const seen = row.getBoundingClientRect();
  if (seen.top < 130 || seen.bottom > innerHeight - 60) row.scrollIntoView({ block: "center" });
}
function openDetail(target, o) {
  const button = target.querySelector(`[data-o="${o.id}"]`);
  if (button) button.setAttribute("aria-expanded", "true");
  target.insertAdjacentHTML("afterend", `<div class="detail v${o.v}" role="region" aria-label="${esc(says(o))}"><div><div class="in">
    <h3><code>${esc(says(o))}</code>${badge(o.v)}${D.criteria.length > 1 ? `<span class="pill">${esc(D.criteria[o.crit][0])}</span>` : ""}</h3>
    ${mutant(o)}${evidence(o, 24)}${facts(o)}${decisionOf(o)}</div></div></div>`);
  announce(`${says(o)}: ${VERDICT[o.v]}`);
}
// All objectives of a criterion on a line.
function openGroup(target, crit, list) {
  if (!list.length) return;
  const button = target.querySelector(`[data-g="${crit}"]`);
  if (button) button.setAttribute("aria-expanded", "true");
  const why = (o) => (o.v === 0 ? testChips(o.tests, 3) : `<span class="small">${esc(o.reason === null ? "" : D.reasons[o.reason][0])}</span>`);
  const rows = list.map((o) => `<tr><td>${badge(o.v)}</td><td>${mutant(o) || `<code>${esc(says(o))}</code>`}</td><td>${why(o)}</td></tr>`);
  target.insertAdjacentHTML("afterend", `<div class="detail v${Math.max(...list.map((o) => o.v))}" role="region" aria-label="${esc(D.criteria[crit][0])}"><div><div class="in">
    <h3>${esc(D.criteria[crit][0])}<span class="faint small">${plural(list.length, "objective")}</span></h3><div class="steps"><table><tbody>${rows.join("")}</tbody></table></div></div></div></div>`);
}
function decisionOf(o) {
  const d = o.details && o.details.decision;
  return d ? `<div class="wrap">${truthTable(decisions().find((one) => one.id === d.id))}</div>` : "";
}
