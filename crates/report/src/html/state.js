// Data, the state in the address, and small tools.
const VERDICT = ["covered", "infeasible", "open"];
const SIGN = ["✓", "∅", "?"];
// Columns of a row: see data.rs.
const objectives = D.objectives.map((r, id) => ({ id, file: r[0], fn: r[1], crit: r[2], line: r[3], col: r[4], len: r[5],
  text: r[6], outcome: r[7], v: r[8], tests: r[9], reason: r[10], proof: r[11], prover: r[12], details: r[13] }));

const $ = (id) => document.getElementById(id);
const esc = (s) => String(s).replace(/[&<>"']/g, (c) => "&#" + c.charCodeAt(0) + ";");
const number = (n) => n.toLocaleString("en");
const plural = (n, word) => number(n) + " " + word + (n === 1 ? "" : "s");
function group(list, key) {
  const map = new Map();
  for (const item of list) { const k = key(item); if (map.has(k)) map.get(k).push(item); else map.set(k, [item]); }
  return map;
}

// Objectives by file and line, and by test; made once.
const byFile = group(objectives, (o) => o.file);
const byTest = D.tests.map(() => []);
for (const o of objectives) for (const t of o.tests) byTest[t].push(o);

// v: view, f: file, l: line, o: objective, g: all of a criterion on the line, t: test, and the filters of lists.
let state = {};
function readState() {
  state = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (!VIEWS.some((view) => view[0] === state.v)) state.v = "overview";
}
function href(change) {
  const next = new URLSearchParams();
  for (const [k, v] of Object.entries(change)) if (v !== null && v !== undefined && v !== "") next.set(k, v);
  return "#" + next;
}
const go = (change) => { location.hash = href(change); };
// Keeps the rest of the state.
const patch = (change) => go({ ...state, ...change });
const num = (key) => (state[key] === undefined ? null : Number(state[key]));
const sourceLink = (o) => href({ v: "source", f: o.file, l: o.line, o: o.id, t: state.t });

function says(o) {
  if (!o.text && !o.outcome) return D.criteria[o.crit][0];
  if (!o.outcome || o.outcome === "independent") return o.text;
  if (!o.text) return o.outcome;
  return o.text + (o.outcome === "true" || o.outcome === "false" ? " is " : ": ") + o.outcome;
}
function counts(list) {
  const c = [0, 0, 0];
  for (const o of list) c[o.v]++;
  return c;
}
function announce(text) { $("said").textContent = text; }
