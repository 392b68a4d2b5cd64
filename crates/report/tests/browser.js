// Walks through a report as a person would; the page's own names are in sight.
const all = (selector) => [...document.querySelectorAll(selector)];
const one = (selector) => document.querySelector(selector);
const text = (selector) => { const e = one(selector); return e ? e.textContent.replace(/\s+/g, " ").trim() : ""; };
const pause = () => new Promise((done) => setTimeout(done, 60));
const key = async (name) => { document.body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true })); await pause(); };
function must(condition, what) { if (!condition) throw new Error(what); }
async function click(selector, what) {
  const target = typeof selector === "string" ? one(selector) : selector;
  must(target, "nothing to click: " + (what || selector));
  target.click();
  await pause();
}
const failed = [];
addEventListener("error", (e) => failed.push(e.message));

async function walk() {
  // Defects come first, then totals of each criterion.
  must(one("main section").textContent.includes("division of 1 by zero"), "the defect is not first");
  must(all(".card").length === 4, "a card for each criterion and the tests");
  must(one(".plot path.area0"), "no plot");
  must(text("#status") === "1 defect", "the status is " + text("#status"));

  // What became of earlier tests.
  must(text("#since").includes("1 test kept, 1 added") && text("#since").includes("test_009 no longer passes"), text("#since"));
  must(text("#since").includes("lost f.c:3 x > 0 is true test_001") && text("#since").includes("new f.c:4 x > 1 is true ∅ infeasible"), text("#since"));

  // From a card to the open objectives, and on by filters.
  await click(all(".legend a").find((a) => a.textContent.includes("open")), "open objectives");
  must(text("#found") === "2 objectives of 8", "filtered: " + text("#found"));
  await click('[data-verdict="2"]');
  must(text("#found") === "8 objectives" || text("#found").startsWith("6 objectives"), "unfiltered: " + text("#found"));
  one("#find").value = "x > 1";
  one("#find").dispatchEvent(new Event("input"));
  await pause();
  must(text("#found").startsWith("2 objectives"), "found: " + text("#found"));
  await click("#list tbody a", "the place of an objective");

  // The source: its box says why, in words, with the certificate.
  must(location.hash.includes("v=source"), "no source");
  must(text(".detail").includes("No input does this: the conditions exclude each other"), "no reason: " + text(".detail"));
  must(text(".detail").includes("x >= 0"), "no invariant: " + text(".detail"));
  must(one('.detail a[href="proofs/f.smt2"]'), "no certificate");
  must(all(".row")[2].textContent.includes("/* <b>0</b> */"), "text is text");
  must(one("#L3 .c").textContent === "x > 0", "the condition is not marked");
  await click("#L5 .mk", "an open branch");
  must(text(".detail").includes("What to try") && text(".detail").includes("--timeout 10m"), "no advice: " + text(".detail"));
  must(all(".detail").length === 1, "one box at a time");
  await click("#L3 .mk", "a covered branch");
  must(text(".detail").includes("Taken by 1 test"), "no tests: " + text(".detail"));

  // Criteria with many objectives a line have one mark for all.
  await click('#L3 [data-g="2"]', "the mutants of a line");
  must(text(".detail").includes("x > 0 becomes x >= 0"), "no mutant: " + text(".detail"));
  await click('#L3 [data-g="2"]', "the mutants of a line, again");
  must(!one(".detail"), "the box closes");
  await click("#L3 .mk", "a covered branch");

  // The path of a test.
  await click(".detail .chip", "a test");
  must(text(".banner").startsWith("Path of test_001") && text(".banner").includes("x = 1"), "no path: " + text(".banner"));
  must(one("#L3.path") && !one("#L4.path"), "lines of the path");
  must(one("#L3 .mk.taken"), "branches of the path");
  must(one("#L3 .hit").title === "run by a test", "the bar says what it means");
  must(one(".row.end"), "where it ends");
  await key("t");
  must(text(".banner").startsWith("Path of test_002"), "the next test");
  await key("Escape");
  must(!one(".banner"), "Escape leaves the path");

  // Keys.
  await key("o");
  must(text(".detail").includes("Neither a test nor a proof"), "the next open objective");
  await key("4");
  must(text("#tabs [aria-current]").startsWith("Decisions"), "views by number");
  must(text(".truth").includes("test_002") && all(".truth .changes").length === 4, "the table of a decision: " + text(".truth"));
  await key("5");
  must(all(".test").length === 2 && text(".test").includes("test_001"), "the tests");
  await click(".test .go", "the path of a test");
  must(one(".banner"), "from a test to its path");
  await key("3");
  one("#crit").value = "2";
  one("#crit").dispatchEvent(new Event("change"));
  await pause();
  must(text("#list").includes("x > 0 becomes x >= 0"), "a mutant: " + text("#list"));
  const theme = document.documentElement.dataset.theme;
  await key("d");
  must(document.documentElement.dataset.theme !== theme, "the other colours");
  must(document.documentElement.scrollWidth <= innerWidth, "nothing sticks out");
}

async function many() {
  for (const change of [{ v: "overview" }, { v: "objectives" }, { v: "source", f: 0 }, { v: "source", f: 0, l: 4000 }]) {
    go(change);
    await pause();
  }
  must(one("#L4000.at"), "the line is there");
  must(all(".row").length < 2000, "lines are made when they are seen: " + all(".row").length);
  go({ v: "objectives" });
  await pause();
  must(all("#list tbody tr").length < 2000, "rows are made when they are seen");
}

// In a frame as wide as a telephone: every view fits.
async function narrow() {
  must(innerWidth <= 400, "the frame is " + innerWidth + " wide");
  const names = all("#tabs a").map((a) => a.textContent);
  must(names.length === 5, "views: " + names);
  for (const name of names) {
    await click(all("#tabs a").find((a) => a.textContent === name), name);
    must(text("#tabs [aria-current]").startsWith(name.replace(/\d+$/, "")), name + " is not shown");
    must(document.documentElement.scrollWidth <= innerWidth, name + " sticks out: " + document.documentElement.scrollWidth);
  }
  must(one("#tree details"), "the tree is folded");
}

// The page of a project.
const shownRows = () => all("#functions tbody tr").filter((row) => !row.hidden).map((row) => row.cells[0].textContent);

async function project() {
  must(text("h1") === "parts" && text(".top .faint") === "3 functions, 1a2b3c, 2024-05-01 12:00", text(".top"));
  must(text(".card").includes("66.7% decided +1 since 2024-04-30 09:00"), "totals and trend: " + text(".card"));
  must(shownRows().join() === "broken,open,good", "the worst comes first: " + shownRows());
  must(all("#functions tbody tr")[0].textContent.includes("clang says <no>"), "why there are no results");
  must(one('#functions a[href="open/report.html"]') && !one('#functions a[href="broken/report.html"]'), "links to functions");
  must(all("#files tbody tr").length === 2, "files: " + text("#files"));

  // Found by name, and by the file that is clicked, until it is clicked again.
  one("#find").value = "GOO";
  one("#find").dispatchEvent(new Event("input"));
  must(shownRows().join() === "good", "found: " + shownRows());
  await click(all("button.file").find((b) => b.textContent === "src/a.c"), "a file");
  must(shownRows().join() === "broken,good", "of a file: " + shownRows());
  await click(all("button.file").find((b) => b.textContent === "src/a.c"), "the file again");
  must(shownRows().length === 3, "all again: " + shownRows());

  // Sorted by a column, and the other way.
  const column = all("#functions .sort").find((b) => b.textContent === "covered");
  await click(column, "a column");
  must(column.parentElement.getAttribute("aria-sort") === "descending" && shownRows()[0] === "good", "sorted: " + shownRows());
  await click(column, "the column again");
  must(shownRows()[2] === "good", "the other way: " + shownRows());
  const before = document.documentElement.dataset.theme;
  await click("#theme");
  must(document.documentElement.dataset.theme !== before, "the other colours");
  await projectFits();
}

// Nothing sticks out of the page, and what a table cuts off can be scrolled to.
async function projectFits() {
  must(document.documentElement.scrollWidth <= innerWidth, "sticks out: " + document.documentElement.scrollWidth + " of " + innerWidth);
  for (const box of all(".wrap, .card")) {
    const cut = box.scrollWidth > box.clientWidth + 1 && !["auto", "scroll"].includes(getComputedStyle(box).overflowX);
    must(!cut, "clipped: " + box.textContent.slice(0, 40));
  }
}

async function runWalk(steps) {
  const said = document.createElement("output");
  said.id = "walked";
  try { await pause(); await steps(); said.textContent = failed.length ? failed.join("; ") : "passed"; }
  catch (e) { said.textContent = "failed: " + e.message; }
  document.body.append(said);
  // A frame tells the page around it.
  if (parent !== window) parent.postMessage(said.outerHTML, "*");
}
