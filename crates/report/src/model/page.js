const at = (id) => document.getElementById(id);
const [list, view, picture, slider] = ["steps", "view", "picture", "slider"].map(at);
let now = -1;
slider.max = STEPS.length;
for (const [index, step] of STEPS.entries()) {
  const item = document.createElement("li");
  item.textContent = step.caption;
  item.onclick = () => show(index);
  list.append(item);
}

function show(index) {
  index = Math.max(0, Math.min(STEPS.length - 1, index));
  if (index === now) return;
  list.children[now]?.removeAttribute("aria-current");
  now = index;
  const step = STEPS[index];
  const [, , width, height] = step.view;
  picture.setAttribute("viewBox", step.view.join(" "));
  picture.setAttribute("width", width);
  picture.setAttribute("height", height);
  at("drawn").innerHTML = step.elements.map((part) => PARTS[part]).join("");
  at("caption").textContent = step.caption;
  at("number").textContent = `${index + 1} of ${STEPS.length}`;
  slider.value = index + 1;
  at("first").disabled = at("back").disabled = index === 0;
  at("next").disabled = at("last").disabled = index === STEPS.length - 1;
  const item = list.children[index];
  item.setAttribute("aria-current", "step");
  item.scrollIntoView({ block: "nearest" });
  reveal();
  history.replaceState(null, "", `#${index + 1}`);
}

// What changed, or else where the search goes on, is brought to the middle if some of it is out of sight.
function reveal() {
  const changed = picture.querySelectorAll(".n.h");
  const nodes = [...(changed.length ? changed : picture.querySelectorAll(".n.f"))];
  if (!nodes.length) return;
  const boxes = nodes.map((node) => node.getBoundingClientRect());
  const frame = view.getBoundingClientRect();
  const [left, top] = [Math.min(...boxes.map((b) => b.left)), Math.min(...boxes.map((b) => b.top))];
  const [right, bottom] = [Math.max(...boxes.map((b) => b.right)), Math.max(...boxes.map((b) => b.bottom))];
  if (left < frame.left || right > frame.right) view.scrollLeft += (left + right - frame.left - frame.right) / 2;
  if (top < frame.top || bottom > frame.bottom) view.scrollTop += (top + bottom - frame.top - frame.bottom) / 2;
}

function fit() {
  const on = view.classList.toggle("fit");
  at("fit").setAttribute("aria-pressed", on);
  reveal();
}

const actions = {
  ArrowLeft: () => show(now - 1), ArrowRight: () => show(now + 1),
  Home: () => show(0), End: () => show(STEPS.length - 1), f: fit,
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in actions)) return;
  event.preventDefault();
  actions[event.key]();
});
addEventListener("hashchange", () => show(Number(location.hash.slice(1)) - 1 || 0));
slider.oninput = () => show(slider.value - 1);
at("first").onclick = actions.Home;
at("back").onclick = actions.ArrowLeft;
at("next").onclick = actions.ArrowRight;
at("last").onclick = actions.End;
at("fit").onclick = fit;
if (STEPS.length) show(Number(location.hash.slice(1)) - 1 || 0);
