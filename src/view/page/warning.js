import {element} from "./elements.js";

// Warnings of lint, as share/nestor/schema/lint.schema.json describes them.

/** A warning of lint as a witness has it: its steps are states. */
export function warningWitness(warning) {
  const path = warning.path.length > 0 ? warning.path
    : [{kind: "event", file: warning.file, line: warning.line, message: warning.message, depth: 0}];
  const stacks = [{}];
  const names = [warning.function];
  const open = [0];
  const states = path.map((step, i) => {
    while (open.length - 1 > step.depth) open.pop();
    while (open.length - 1 < step.depth) {
      const callee = /'([^']*)'/.exec(path[i - 1]?.message ?? "")?.[1] ?? "?";
      stacks.push({below: open.at(-1), box: path[i - 1]?.message ?? "?"});
      names.push(callee);
      open.push(stacks.length - 1);
    }
    return {stack: open.at(-1), procedure: names[open.at(-1)], node: step.message, labels: [step.kind], file: step.file, line: step.line};
  });
  const steps = path.slice(1).map((step, i) =>
    (step.depth > path[i].depth ? "call" : step.depth < path[i].depth ? "return" : "local"));
  return {
    formulas: [{op: "atom", name: warning.message}], stacks, states, roots: [0],
    evidence: [{kind: "path", formula: 0, holds: false, state: 0, path: states.map((_, i) => i), steps, ending: "reached"}],
  };
}

export function warningText(warning) {
  return element("dl", {}, element("dt", {}, "rule"), element("dd", {}, warning.rule),
    element("dt", {}, "where"), element("dd", {}, `${warning.file}:${warning.line}:${warning.column}, in ${warning.function}`),
    element("dt", {}, "about"), element("dd", {}, warning.subject),
    element("dt", {}, "fingerprint"), element("dd", {}, warning.fingerprint));
}
