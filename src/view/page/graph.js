import {drawn, element, shortened} from "./elements.js";

// Drawings of graphs. Where things are comes from the program, which has Graphviz; of graphs that it
// did not draw, what is near one node is drawn here, row by row.

const NODE_HEIGHT = 26;
const COLUMN = 200;
const STATE_COLUMN = 88;  // where vertices are numbers of states
const LINE = 54;
const MOST_IN_ROW = 5;
const MOST_ROWS = 4;  // below; half of that above
const MOST_NEAR = 24;
const LETTER = 7;
const SMALLEST = 0.65;  // scale

/** successors and predecessors by number */
export function neighbours(procedure) {
  if (procedure.neighbours) return procedure.neighbours;
  const size = procedure.nodes.length + procedure.boxes.length;
  const after = Array.from({length: size}, () => []);
  const before = Array.from({length: size}, () => []);
  for (let i = 0; i + 1 < procedure.edges.length; i += 2) {
    after[procedure.edges[i]].push(procedure.edges[i + 1]);
    before[procedure.edges[i + 1]].push(procedure.edges[i]);
  }
  return (procedure.neighbours = {after, before});
}

/**
 * A layout of what is near a vertex: what leads to it above, what follows below, row by row. Those that are `wanted`
 * come first where not all fit.
 */
export function nearLayout(focus, {after, before}, wanted = () => false, column = COLUMN) {
  const rows = new Map([[0, [focus]]]);
  const seen = new Set([focus]);
  let left = 0;
  const visit = (at, from, neighbour) => {
    const found = [...new Set((rows.get(from) ?? []).flatMap((vertex) => neighbour[vertex]))].filter((vertex) => !seen.has(vertex));
    const room = Math.max(0, Math.min(MOST_IN_ROW, MOST_NEAR - seen.size));
    const taken = found.sort((one, other) => wanted(other) - wanted(one)).slice(0, room);
    left += found.length - taken.length;
    taken.forEach((vertex) => seen.add(vertex));
    if (taken.length > 0) rows.set(at, taken);
  };
  for (let distance = 1; distance <= MOST_ROWS; ++distance) {
    visit(distance, distance - 1, after);
    if (distance <= MOST_ROWS / 2) visit(-distance, 1 - distance, before);
  }
  const first = Math.min(...rows.keys());
  const most = Math.max(...[...rows.values()].map((vertices) => vertices.length));
  const places = new Map();
  for (const [at, vertices] of rows) {
    vertices.forEach((vertex, i) => places.set(vertex, {
      row: at, x: (most / 2 + i - (vertices.length - 1) / 2) * column, y: (at - first + 0.5) * LINE,
    }));
  }
  // From row to row, and what matters; the rest would only be in the way.
  const isShown = (from, to) => places.has(to) && (places.get(to).row === places.get(from).row + 1 || from === to ||
    from === focus || to === focus || (wanted(from) && wanted(to)));
  const edges = [...places].flatMap(([from, start]) => [...new Set(after[from])].filter((to) => isShown(from, to))
    .map((to) => ({from, to, curve: nearCurve(start, places.get(to), column)})));
  const of = [...places.keys()];
  return {
    width: most * column + 30, height: rows.size * LINE, of, edges, left,
    at: of.flatMap((vertex) => [places.get(vertex).x, places.get(vertex).y, column - 24]),
  };
}

function nearCurve(start, end, column) {
  const [half, up] = [(column - 24) / 2, NODE_HEIGHT / 2];
  if (start === end) {
    return [start.x + half, start.y - 6, start.x + half + 26, start.y - 16, start.x + half + 26, start.y + 16, start.x + half, start.y + 6];
  }
  if (end.row > start.row) {
    const [y, to] = [start.y + up, end.y - up];
    return [start.x, y, start.x, (y + to) / 2, end.x, (y + to) / 2, end.x, to];
  }
  // Back, or beside: out to the right and in from there.
  const [x, to] = [start.x + half, end.x + half];
  const out = Math.max(x, to) + 24;
  return [x, start.y, out, start.y, out, end.y, to, end.y];
}

function pathOf(curve) {
  let text = `M${curve[0]},${curve[1]}`;
  for (let i = 2; i + 5 < curve.length; i += 6) text += `C${curve.slice(i, i + 6).join(" ")}`;
  return text;
}

let markers = 0;

/**
 * A drawing of a layout. `look(number)` tells of each vertex {text, class, title}; `choose(number)` is called where
 * one is clicked. `focus` is scrolled to.
 */
export function drawing(layout, {look, choose, focus, edgeClass = () => "", label}) {
  const arrow = `arrow-${++markers}`;
  const picture = drawn("svg", {
    viewBox: `-8 -8 ${layout.width + 16} ${layout.height + 16}`, width: layout.width + 16, height: layout.height + 16,
    role: "group", "aria-label": label,
  }, drawn("defs", {}, drawn("marker", {
    id: arrow, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto",
  }, drawn("path", {d: "M0,0.6 L8,4 L0,7.4 z", class: "arrow"}))));
  for (const edge of layout.edges) {
    if (edge.curve.length < 4) continue;
    picture.append(drawn("path", {
      d: pathOf(edge.curve), class: `edge ${edgeClass(edge.from, edge.to)}`, "marker-end": `url(#${arrow})`,
    }));
  }
  layout.of.forEach((number, i) => {
    const [x, y, width] = layout.at.slice(3 * i, 3 * i + 3);
    const {text, class: kind, title} = look(number);
    const shape = drawn("g", {
      class: `vertex ${kind}`, transform: `translate(${x},${y})`, "data-vertex": number, tabindex: choose ? 0 : undefined,
      role: choose ? "button" : undefined, "aria-label": title,
      on: choose ? {
        click: () => choose(number),
        keydown: (event) => {
          if (event.key !== "Enter") return;
          event.stopPropagation();
          choose(number);
        },
      } : {},
    },
    drawn("title", {}, title),
    drawn("rect", {x: -width / 2, y: -NODE_HEIGHT / 2, width, height: NODE_HEIGHT, rx: kind.includes("call") ? 2 : 13}),
    kind.includes("call") ? drawn("rect", {class: "inner", x: -width / 2 + 3, y: -NODE_HEIGHT / 2 + 3, width: width - 6, height: NODE_HEIGHT - 6, rx: 1}) : null,
    drawn("text", {y: 4}, shortened(text, Math.max(3, Math.floor((width - 12) / LETTER)))));
    picture.append(shape);
  });
  const frame = element("div", {class: "drawing"}, picture);
  requestAnimationFrame(() => fit(frame, layout, focus));
  return frame;
}

/** As large as there is room for, if names can still be read; else scrolled to what matters. */
function fit(frame, layout, focus) {
  const [width, height] = [layout.width + 16, layout.height + 16];
  const scale = Math.min(1, Math.max(SMALLEST, Math.min((frame.clientWidth - 4) / width, (frame.clientHeight - 8) / height)));
  frame.firstChild.setAttribute("width", width * scale);
  frame.firstChild.setAttribute("height", height * scale);
  const at = layout.of.indexOf(focus);
  if (at < 0) return;
  frame.scrollLeft = (layout.at[3 * at] + 8) * scale - frame.clientWidth / 2;
  frame.scrollTop = (layout.at[3 * at + 1] + 8) * scale - frame.clientHeight / 2;
}

/** A procedure: as the program laid it out, if `focus` is drawn there, else what is near. */
export function procedureDrawing(subject, procedure, {focus = -1, look = () => ({}), choose, edgeClass}) {
  const size = procedure.nodes.length;
  if (size === 0) return element("p", {class: "note"}, "This procedure is not part of the page: the model is too large.");
  const start = focus < 0 ? Math.max(0, procedure.nodes.findIndex((node) => node.entry)) : focus;
  const layout = procedure.layout ? wholeLayout(procedure.layout)
    : nearLayout(start, neighbours(procedure), (number) => (look(number).class ?? "").includes("passed"),
      subject.model.states ? STATE_COLUMN : COLUMN);
  const states = subject.model.states;
  const describe = (number) => {
    const own = look(number);
    if (number >= size) {
      const box = procedure.boxes[number - size];
      const callee = subject.model.procedures[box.callee].name;
      return {text: callee, title: `${box.name}: call of ${callee}`, class: `call ${own.class ?? ""}`};
    }
    const node = procedure.nodes[number];
    const kind = `${node.entry ? "entry " : ""}${node.exit ? "exit " : ""}${number === focus ? "current " : ""}`;
    return {text: states ? `s${number}` : node.name, title: node.name, class: `${kind}${own.class ?? ""}`};
  };
  const picture = drawing(layout, {look: describe, choose, focus: start, edgeClass, label: `Procedure ${procedure.name}`});
  return element("div", {class: "figure"}, picture, procedure.layout ? null : drawingNote(subject, procedure, layout));
}

/** Of all vertices. */
export function wholeLayout(layout) {
  layout.of ??= Array.from({length: layout.at.length / 3}, (_, number) => number);
  return layout;
}

function drawingNote(subject, procedure, layout) {
  const all = procedure.size + procedure.boxes.length;
  const more = layout.left > 0 ? `, ${layout.left} more are left out` : "";
  const why = subject.model.graphviz ? "" : " This page was made without Graphviz, so there is no drawing of the whole.";
  return element("p", {class: "note"}, `${layout.of.length} of ${all} nodes and calls: those near what is looked at${more}.${why}`);
}
