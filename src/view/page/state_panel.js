import {element} from "./elements.js";
import {changedValues, valuesOf} from "./changes.js";

// What is true in a state of a walk, and what changed since the one before.

const MOST_LABELS = 60;
const CAME = {call: "called from", return: "returned from", "return call": "returned and called, from", stay: "stays at", local: "after"};

export function statePanel(subject, walk, step) {
  const {piece, at, how} = walk.steps[step];
  const state = walk.state(step);
  const before = step > 0 ? walk.state(step - 1) : null;
  const values = valuesOf(state.node);
  const number = values ? subject.nodeNumber(state.procedure, state.node) : -1;
  const parts = [element("h3", {}, number < 0 ? state.procedure : `${state.procedure} · s${number}`)];
  const fired = walk.witness.evidence[piece].fired?.[at - 1];
  if (fired?.transition) {
    const binding = Object.entries(fired.binding).map(([variable, value]) => `${variable} = ${value}`).join(", ");
    parts.push(element("p", {class: "fired"}, "by ", element("b", {}, fired.transition), binding && ` with ${binding}`));
  }
  if (values) {
    parts.push(valueTable(before ? valuesOf(before.node) : null, values));
  } else {
    parts.push(element("p", {class: "node"}, element("code", {}, state.node)));
    if (before && !subject.lint) parts.push(element("p", {class: "note"}, `${CAME[how] ?? ""} ${before.node}`));
  }
  if (state.file) parts.push(element("p", {class: "path"}, state.line ? `${state.file}:${state.line}` : state.file));
  if (!subject.lint) parts.push(labelList(subject, walk, state, before));
  return parts;
}

function valueTable(before, values) {
  return element("table", {class: "values"}, ...changedValues(before, values, true).map((value) => {
    const changed = before && value.before !== value.after;
    return element("tr", {class: changed ? "changed" : ""}, element("th", {scope: "row"}, value.name),
      element("td", {}, changed ? `${value.before} → ` : "", element("b", {}, value.after)));
  }));
}

/** Those of the formula first, with what changed; then the other labels of the node. */
function labelList(subject, walk, state, before) {
  const mentioned = walk.witness.formulas.filter((formula) => formula.op === "atom").map((formula) => formula.name);
  const node = subject.procedure(state.procedure)?.nodes[subject.nodeNumber(state.procedure, state.node)];
  const others = (node?.labels ?? []).map((label) => subject.model.labels[label]).filter((label) => !mentioned.includes(label));
  const line = (name) => {
    const now = state.labels.includes(name);
    const changed = before && before.labels.includes(name) !== now;
    return element("li", {class: `label ${now ? "holds" : "fails"} ${changed ? "changed" : ""}`, title: name}, `${now ? "✓" : "✗"} ${name}`);
  };
  return element("ul", {class: "labels"}, ...[...new Set(mentioned)].map(line),
    ...others.slice(0, MOST_LABELS).map((name) => element("li", {class: "label other", title: name}, name)),
    others.length > MOST_LABELS ? element("li", {class: "note"}, `and ${others.length - MOST_LABELS} more`) : null);
}
