// The story's graph: drawn by Cytoscape.js where Python has placed the nodes, with a list that says the same.
// Everything of the story goes into the page as text, never as markup.

const KINDS = {
  character: ["ellipse", "#4a7db5", "people"],
  location: ["round-rectangle", "#4d8a6c", "places"],
  object: ["diamond", "#a9792b", "things"],
  group: ["hexagon", "#8a63a8", "groups"],
};
const SIGNS = { "1": ["#4d8a6c", "well disposed"], "0": ["#8b8f96", "neutral"], "-1": ["#b9483d", "ill disposed"] };
const LETTERS = 12; // height of a name on the screen, in pixels, whatever the zoom
const WIDEST = 112; // of a name on the screen, in pixels
const WORDED = 60; // lines in all, up to which each bears its word
const FEW = 8; // lines round what was picked that bear their words

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".fg");
  root.style.setProperty("--height", `${data.height}px`);
  const shown = root.fabula ?? (root.fabula = { picked: null });
  shown.pick = (picked) => {
    shown.picked = picked;
    mark(shown);
    if (shown.cy) nameWhatFits(shown.cy, shown.scale);
    list(root, shown);
    setStateValue("picked", picked);
  };
  let alive = true;
  library().then((cytoscape) => {
    if (!alive) return;
    const digest = JSON.stringify([data.nodes, data.edges, data.last]);
    if (!shown.cy) {
      shown.cy = drawn(cytoscape, root, shown);
      tools(root, shown);
    }
    if (shown.digest !== digest) {
      shown.digest = digest;
      shown.data = data;
      shown.chapter = data.last;
      fill(shown);
      slider(root, shown);
      atChapter(root, shown);
      legend(root, data);
      const canvas = root.querySelector(".fg-canvas");
      canvas.setAttribute("aria-label",
        `Graph of ${data.nodes.length} names and ${data.edges.length} relations. Arrow keys move it, plus and ` +
        "minus zoom, 0 shows all. The list beside it holds the same.");
      root.dataset.drawn = String(data.nodes.length);
    }
    mark(shown);
    restyle(root, shown);
    list(root, shown);
  });
  return () => { alive = false; };
}

// The library comes in a component of its own, before or after this one.
function library() {
  return new Promise((found) => {
    const look = () => (globalThis.fabulaCytoscape ? found(globalThis.fabulaCytoscape) : setTimeout(look, 30));
    look();
  });
}

function drawn(cytoscape, root, shown) {
  const canvas = root.querySelector(".fg-canvas");
  const tip = root.querySelector(".fg-tip");
  const cy = cytoscape({ container: canvas, minZoom: 0.08, maxZoom: 4, boxSelectionEnabled: false,
    autounselectify: true, layout: { name: "preset" }, pixelRatio: "auto", hideEdgesOnViewport: false });
  const say = (text) => { tip.textContent = text; tip.hidden = !text; };
  cy.on("mouseover", "node", ({ target }) => { target.addClass("near"); say(nodeWords(target.data())); });
  cy.on("mouseover", "edge", ({ target }) => { target.addClass("near"); say(edgeWords(shown, target.data())); });
  cy.on("mouseout", "node, edge", ({ target }) => { target.removeClass("near"); say(""); });
  cy.on("tap", (event) => {
    if (event.target === cy || event.target.data("box")) shown.pick(null);
    else shown.pick({ kind: event.target.isNode() ? "node" : "edge", id: event.target.data("id") });
  });
  cy.on("zoom", () => {
    cancelAnimationFrame(shown.frame);
    shown.frame = requestAnimationFrame(() => restyle(root, shown));
  });
  // a wheel without the control key scrolls the page, as everywhere else on it
  canvas.addEventListener("wheel", (event) => { if (!event.ctrlKey) event.stopPropagation(); }, { capture: true });
  new ResizeObserver(() => { cy.resize(); if (!shown.moved) cy.fit(undefined, 34); }).observe(canvas);
  cy.on("dragpan scrollzoom pinchzoom", () => { shown.moved = true; });
  return cy;
}

function fill(shown) {
  const { cy, data } = shown;
  const families = new Set(data.nodes.filter((node) => node.family !== null).map((node) => node.family));
  const elements = [
    ...[...families].map((one) => ({ group: "nodes", data: { id: `family ${one}`, box: 1, label: "" }, selectable: false })),
    ...data.nodes.map(({ x, y, ...node }) => ({ group: "nodes",
      data: node.family === null ? node : { ...node, parent: `family ${node.family}` }, position: { x, y } })),
    ...data.edges.map((edge) => ({ group: "edges", data: edge })),
  ];
  cy.batch(() => { cy.elements().remove(); cy.add(elements); });
  shown.moved = false;
  cy.fit(undefined, 34);
  if (cy.zoom() > 1.4) { cy.zoom(1.4); cy.center(); }
}

// At a chapter that the slider names: who has been named by then, and of each two the bond that holds, or held
// last. Nodes stay where they are.
function atChapter(root, shown) {
  const { cy, data, chapter } = shown;
  const drawn = new Map();
  for (const edge of data.edges) {
    if (edge.told > chapter) continue;
    const over = !edge.event && edge.until !== null && edge.until < chapter + (chapter === data.last ? 1 : 0);
    const before = drawn.get(edge.slot);
    const weight = (one, ended) => (ended ? 0 : 2) + one.kin;
    if (!before || weight(edge, over) >= weight(before.edge, before.over)) {
      drawn.set(edge.slot, { edge, over });
    }
  }
  shown.visible = new Map([...drawn.values()].map(({ edge, over }) => [edge.id, over]));
  cy.batch(() => {
    cy.edges().forEach((edge) => {
      const over = shown.visible.get(edge.id());
      edge.toggleClass("hidden", over === undefined).toggleClass("over", over === true);
    });
    cy.nodes("[!box]").forEach((node) => node.toggleClass("hidden", node.data("first") > chapter));
    cy.nodes("[?box]").forEach((box) => box.toggleClass("hidden", box.children().filter((one) => !one.hasClass("hidden")).length < 2));
  });
  root.querySelector(".fg-time span").textContent = chapter === data.last ? `Up to chapter ${chapter}` : `As it stood in chapter ${chapter}`;
}

function slider(root, shown) {
  const time = root.querySelector(".fg-time");
  const input = time.querySelector("input");
  time.hidden = shown.data.last < 2;
  Object.assign(input, { max: shown.data.last, value: shown.data.last });
  input.oninput = () => {
    shown.chapter = Number(input.value);
    atChapter(root, shown);
    nameWhatFits(shown.cy, shown.scale);
    wordWhatFits(shown);
    list(root, shown);
  };
}

// Names and lines stay about as large on the screen while the graph shrinks; nodes shrink less than it does.
function restyle(root, shown) {
  const scale = Math.min(7, Math.max(0.7, 1 / shown.cy.zoom()));
  shown.scale = scale;
  shown.cy.style(style(root, scale));
  nameWhatFits(shown.cy, scale);
  wordWhatFits(shown);
}

// The weightiest first: a name that would lie on another one's is not shown. Where something is picked, only
// that and what is round it are named.
function nameWhatFits(cy, scale) {
  const taken = [];
  const free = (box) => taken.every((one) => box.right < one.left || one.right < box.left
    || box.bottom < one.top || one.bottom < box.top);
  const picked = cy.nodes(".picked");
  const round = cy.elements(".picked").nonempty() ? picked.union(cy.nodes(".beside").difference(picked)) : cy.nodes();
  cy.nodes().removeClass("named");
  cy.batch(() => round.forEach((node) => {
    if (node.data("box") || node.hasClass("hidden")) return;
    const { x, y } = node.position();
    const long = node.data("label").length * LETTERS * 0.54;
    const wide = Math.min(long, WIDEST) * scale;
    const high = Math.ceil(long / WIDEST) * LETTERS * 1.15 * scale;
    const top = y + sizeAt(node, scale) / 2;
    const box = { left: x - wide / 2, right: x + wide / 2, top, bottom: top + high };
    if (!free(box)) return;
    taken.push(box);
    node.addClass("named");
  }));
}

// The word of a line, where the line is long enough on the screen to bear it.
function wordWhatFits({ cy, visible }) {
  if (!visible) return;
  cy.batch(() => cy.edges().forEach((edge) => {
    const [from, to] = [edge.source().renderedPosition(), edge.target().renderedPosition()];
    const long = Math.hypot(from.x - to.x, from.y - to.y) - 20;
    edge.toggleClass("worded", visible.size <= WORDED && long > edge.data("word").length * LETTERS * 0.46);
  }));
}

function sizeAt(node, scale) {
  return node.data("size") * Math.min(2.2, Math.max(1, scale * 0.5));
}

function style(root, scale) {
  const given = getComputedStyle(root);
  const text = given.getPropertyValue("--st-text-color").trim() || "#23211d";
  const ground = given.getPropertyValue("--st-background-color").trim() || "#faf9f6";
  const strong = given.getPropertyValue("--st-primary-color").trim() || "#3c5f86";
  const font = given.getPropertyValue("--st-font").trim() || "sans-serif";
  const letters = LETTERS * scale;
  const rules = [
    { selector: "node[!box]", style: { width: (node) => sizeAt(node, scale), height: (node) => sizeAt(node, scale), "border-width": 1.5 * scale, "border-color": ground,
      color: text, "font-family": font, "font-size": letters, "text-valign": "bottom", "text-margin-y": 3 * scale,
      "text-outline-color": ground, "text-outline-width": 2.5 * scale,
      "text-wrap": "wrap", "text-max-width": WIDEST * scale } },
    { selector: "node[?box]", style: { width: "auto", height: "auto", shape: "round-rectangle", padding: 12, "compound-sizing-wrt-labels": "exclude", "background-color": text,
      "background-opacity": 0.05, "border-width": 1 * scale, "border-color": text, "border-opacity": 0.25, "border-style": "dotted", events: "no" } },
    { selector: ".hidden", style: { display: "none" } },
    { selector: "node.named", style: { "z-index": 3 } },
    { selector: "node.named, node.near, node.picked", style: { label: "data(label)" } },
    { selector: "node.near, node.picked", style: { "z-index": 10 } },
    { selector: "edge", style: { width: 1.5 * scale, "curve-style": "bezier", "arrow-scale": 0.75, opacity: 0.7,
      "target-arrow-shape": "triangle", color: text, "font-family": font, "font-size": letters * 0.92,
      "text-outline-color": ground, "text-outline-width": 2.5 * scale, "text-rotation": "autorotate" } },
    { selector: "edge[sign = -1]", style: { "target-arrow-shape": "tee" } },
    { selector: "edge[mutual = 1]", style: { "source-arrow-shape": "none", "target-arrow-shape": "none" } },
    { selector: "edge[mutual = 1][sign = -1]", style: { "source-arrow-shape": "tee", "target-arrow-shape": "tee" } },
    { selector: "edge[guess = 1]", style: { "line-style": "dotted", opacity: 0.5 } },
    { selector: "edge.over", style: { "line-style": "dashed", opacity: 0.5 } },
    { selector: "edge.worded", style: { label: "data(word)", "font-size": letters * 0.85 } },
    { selector: "edge.beside", style: { width: 2.2 * scale, opacity: 1 } },
    { selector: "edge.near, edge.picked, edge.told", style: { label: "data(word)", width: 2.6 * scale, opacity: 1, "z-index": 9 } },
    { selector: "node.picked", style: { "border-color": strong, "border-width": 4 * scale } },
    { selector: "edge.picked", style: { width: 4 * scale } },
    { selector: ".faded", style: { opacity: 0.18, "text-opacity": 0.35 } },
    { selector: "node.faded.near", style: { opacity: 1, "text-opacity": 1 } },
  ];
  for (const [kind, [shape, colour]] of Object.entries(KINDS)) {
    rules.push({ selector: `node[kind = "${kind}"]`, style: { shape, "background-color": colour } });
  }
  for (const [sign, [colour]] of Object.entries(SIGNS)) {
    rules.push({ selector: `edge[sign = ${sign}]`, style: { "line-color": colour, "source-arrow-color": colour, "target-arrow-color": colour } });
  }
  return rules;
}

function mark({ cy, picked }) {
  if (!cy) return;
  cy.batch(() => {
    cy.elements().removeClass("picked beside faded told");
    if (!picked) return;
    const one = cy.getElementById(picked.id);
    if (one.empty()) return;
    const round = one.isNode() ? one.closedNeighborhood() : one.union(one.connectedNodes());
    cy.elements().difference(round).addClass("faded");
    round.addClass("beside");
    if (round.edges().length <= FEW) round.edges().addClass("told");
    one.addClass("picked");
  });
}

function tools(root, shown) {
  const { cy } = shown;
  const centre = () => ({ x: cy.width() / 2, y: cy.height() / 2 });
  const acts = {
    in: () => cy.zoom({ level: cy.zoom() * 1.3, renderedPosition: centre() }),
    out: () => cy.zoom({ level: cy.zoom() / 1.3, renderedPosition: centre() }),
    fit: () => cy.fit(undefined, 34),
  };
  const act = (name) => { acts[name](); shown.moved = name !== "fit"; };
  for (const button of root.querySelectorAll("[data-do]")) {
    button.addEventListener("click", () => act(button.dataset.do));
  }
  const keys = { "+": "in", "=": "in", "-": "out", "0": "fit" };
  const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  root.querySelector(".fg-canvas").addEventListener("keydown", (event) => {
    const [x, y] = moves[event.key] ?? [];
    if (event.key in keys) act(keys[event.key]);
    else if (x !== undefined) { cy.panBy({ x, y }); shown.moved = true; }
    else if (event.key === "Escape") shown.pick(null);
    else return;
    event.preventDefault();
  });
  root.querySelector(".fg-find").addEventListener("input", () => list(root, shown));
}

function list(root, shown) {
  const { data, picked } = shown;
  if (!data) return;
  const wanted = root.querySelector(".fg-find").value.trim().toLowerCase();
  const named = new Map(data.nodes.map((node) => [node.id, node.name]));
  const edge = picked?.kind === "edge" ? data.edges.find((one) => one.id === picked.id) : null;
  const opened = edge ? edge.source : picked?.id;
  const rows = data.nodes
    .filter((node) => node.first <= shown.chapter)
    .filter((node) => !wanted || node.name.toLowerCase().includes(wanted))
    .map((node) => {
      const row = document.createElement("li");
      row.append(entry(node.name, node.degree ? String(node.degree) : "", picked?.id === node.id,
        () => shown.pick(picked?.id === node.id ? null : { kind: "node", id: node.id })));
      if (node.id === opened) row.append(beside(node.id, shown, named));
      return row;
    });
  const place = root.querySelector(".fg-list");
  const focused = place.contains(place.getRootNode().activeElement) ? place.getRootNode().activeElement?.dataset.key : "";
  place.replaceChildren(...rows);
  if (focused) [...place.querySelectorAll("button")].find((one) => one.dataset.key === focused)?.focus();
}

function beside(id, shown, named) {
  const inner = document.createElement("ul");
  for (const one of shown.data.edges) {
    if ((one.source !== id && one.target !== id) || !shown.visible.has(one.id)) continue;
    const words = one.source === id ? `${one.label} ${named.get(one.target)}` : `${named.get(one.source)} ${one.label} ${named.get(id)}`;
    const row = document.createElement("li");
    row.append(entry(words, `ch. ${one.told}`, shown.picked?.id === one.id, () => shown.pick({ kind: "edge", id: one.id })));
    inner.append(row);
  }
  return inner;
}

function entry(words, beside, pressed, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.key = `${words}|${beside}`;
  button.title = words;
  button.setAttribute("aria-pressed", String(pressed));
  const name = document.createElement("b");
  name.textContent = words;
  const aside = document.createElement("small");
  aside.textContent = beside;
  button.append(name, aside);
  button.addEventListener("click", act);
  return button;
}

function legend(root, data) {
  const kinds = new Set(data.nodes.map((node) => node.kind));
  const signs = new Set(data.edges.map((edge) => String(edge.sign)));
  const parts = Object.entries(KINDS).filter(([kind]) => kinds.has(kind)).map(([kind, [, colour, words]]) => item(colour, words, kind));
  parts.push(...Object.entries(SIGNS).filter(([sign]) => signs.has(sign)).map(([, [colour, words]]) => item(colour, words, "line")));
  if (data.edges.some((edge) => edge.until !== null && !edge.event)) parts.push(item("transparent", "dashed: has ended", "none"));
  if (data.edges.some((edge) => edge.guess)) parts.push(item("transparent", "dotted: less likely", "none"));
  if (data.nodes.some((node) => node.family !== null)) parts.push(item("transparent", "framed: a family", "none"));
  root.querySelector(".fg-legend").replaceChildren(...parts);
}

function item(colour, words, kind) {
  const whole = document.createElement("span");
  const sign = document.createElement("i");
  const [wide, high] = kind === "line" ? [14, 3] : kind === "none" ? [0, 0] : [10, 10];
  Object.assign(sign.style, { width: `${wide}px`, height: `${high}px`, background: colour,
    borderRadius: kind === "character" ? "50%" : kind === "location" ? "2px" : "0",
    transform: kind === "object" ? "rotate(45deg) scale(.8)" : "" });
  if (kind === "group") sign.style.clipPath = "polygon(25% 0, 75% 0, 100% 50%, 75% 100%, 25% 100%, 0 50%)";
  whole.append(sign, words);
  return whole;
}

function nodeWords(node) {
  const times = node.mentions === 1 ? "once" : `${node.mentions} times`;
  return `${node.name} (${node.kind}), named ${times}`;
}

function edgeWords(shown, edge) {
  const name = (id) => shown.cy.getElementById(id).data("name");
  return `${name(edge.source)} ${edge.label} ${name(edge.target)}, ch. ${edge.told}`;
}
