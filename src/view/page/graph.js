import {drawn, element, shortened} from "./elements.js";

// Drawings of graphs. Where things are comes from the program, which has Graphviz; of graphs that it
// did not draw, what is near one node is drawn here, in columns.

const NODE_HEIGHT = 26;
const COLUMN = 210;
const LINE = 38;
const MOST_IN_COLUMN = 9;
const LETTER = 7;

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

/** A layout of what is near a vertex: before it to the left, after it to the right. */
export function nearLayout(focus, {after, before}) {
  const column = new Map([[focus, 0]]);
  const columns = new Map([[0, [focus]]]);
  let left = 0;
  const visit = (vertices, at) => {
    const fresh = [...new Set(vertices)].filter((vertex) => !column.has(vertex));
    left += Math.max(0, fresh.length - MOST_IN_COLUMN);
    const taken = fresh.slice(0, MOST_IN_COLUMN);
    taken.forEach((vertex) => column.set(vertex, at));
    if (taken.length > 0) columns.set(at, taken);
    return taken;
  };
  const next = visit(after[focus], 1);
  visit(before[focus], -1);
  visit(next.flatMap((vertex) => after[vertex]), 2);
  const first = Math.min(...columns.keys());
  const most = Math.max(...[...columns.values()].map((vertices) => vertices.length));
  const places = new Map();
  for (const [at, vertices] of columns) {
    vertices.forEach((vertex, i) => places.set(vertex, {
      x: (at - first + 0.5) * COLUMN, y: (most / 2 + i - (vertices.length - 1) / 2) * LINE,
    }));
  }
  const half = (COLUMN - 40) / 2;
  const edges = [];
  for (const [from, start] of places) {
    for (const to of new Set(after[from])) {
      const end = places.get(to);
      if (end) edges.push({from, to, curve: columnCurve(start, end, half)});
    }
  }
  const of = [...places.keys()];
  return {
    width: columns.size * COLUMN, height: most * LINE + 10, of, edges, left,
    at: of.flatMap((vertex) => [places.get(vertex).x, places.get(vertex).y, 2 * half]),
  };
}

function columnCurve(start, end, half) {
  if (start === end) return [start.x + half - 20, start.y - 13, start.x + half, start.y - 34, start.x + half + 22, start.y - 10, start.x + half, start.y - 4];
  if (end.x > start.x) {
    const [x, to] = [start.x + half, end.x - half];
    return [x, start.y, (x + to) / 2, start.y, (x + to) / 2, end.y, to, end.y];
  }
  const bow = Math.max(start.y, end.y) + LINE / 2;
  return [start.x, start.y + 13, start.x, bow + 8, end.x, bow + 8, end.x, end.y + 13];
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
    id: arrow, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse",
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
  requestAnimationFrame(() => showFocus(frame, layout, focus));
  return frame;
}

function showFocus(frame, layout, focus) {
  const at = layout.of.indexOf(focus);
  if (at < 0) return;
  frame.scrollLeft = layout.at[3 * at] + 8 - frame.clientWidth / 2;
  frame.scrollTop = layout.at[3 * at + 1] + 8 - frame.clientHeight / 2;
}

/** A procedure: as the program laid it out, if `focus` is drawn there, else what is near. */
export function procedureDrawing(subject, procedure, {focus = -1, look = () => ({}), choose, edgeClass}) {
  const size = procedure.nodes.length;
  if (size === 0) return element("p", {class: "note"}, "This procedure is not part of the page: the model is too large.");
  const whole = procedure.layout && (focus < 0 || procedure.layout.of.includes(focus));
  const start = focus < 0 ? Math.max(0, procedure.nodes.findIndex((node) => node.entry)) : focus;
  const layout = whole ? procedure.layout : nearLayout(start, neighbours(procedure));
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
  return element("div", {class: "figure"}, picture, drawingNote(subject, procedure, whole, layout));
}

function drawingNote(subject, procedure, whole, layout) {
  const all = procedure.size + procedure.boxes.length;
  if (whole && layout.of.length === all) return null;
  const more = layout.left > 0 ? `, ${layout.left} more are left out` : "";
  const why = subject.model.graphviz ? "" : " This page was made without Graphviz, so there is no drawing of the whole.";
  return element("p", {class: "note"}, `${layout.of.length} of ${all} nodes and calls, near what is looked at${more}.${why}`);
}
