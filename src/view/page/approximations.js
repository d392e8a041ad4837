import {neighbours} from "./graph.js";

// How a fixpoint is reached, on models without calls: the approximations of a temporal operator, from the
// values of its operands. The last one must be the value that the program found, else nothing is shown.

function withoutBrackets(text) {
  if (!text.startsWith("(") || !text.endsWith(")")) return text;
  let depth = 0;
  for (let i = 0; i < text.length - 1; ++i) {
    depth += {"(": 1, ")": -1}[text[i]] ?? 0;
    if (depth === 0) return text;
  }
  return text.slice(1, -1);
}

/** The operator and its operands' places among the subformulas; null if it is no temporal operator. */
function parse(subformulas, number) {
  const places = new Map(subformulas.map(({formula}, at) => [formula, at]));
  const place = (text) => places.get(text) ?? places.get(withoutBrackets(text));
  const {formula} = subformulas[number];
  const unary = /^(EX|EG|EF) (.*)$/s.exec(formula);
  if (unary) return {op: unary[1], right: place(unary[2])};
  if (!formula.startsWith("E [") || !formula.endsWith("]")) return null;
  const inside = formula.slice(3, -1);
  for (let at = inside.indexOf(" U "); at >= 0; at = inside.indexOf(" U ", at + 1)) {
    const [left, right] = [place(inside.slice(0, at)), place(inside.slice(at + 3))];
    if (left !== undefined && right !== undefined) return {op: "EU", left, right};
  }
  return null;
}

/** [Set of rows, …], the first approximation first; null if there is nothing to show. */
export function approximations(label, number, procedure, isPartial) {
  const parsed = parse(label.subformulas, number);
  if (!parsed || parsed.right === undefined || isPartial || label.instances.length !== 1 || procedure.boxes.length > 0) return null;
  const {after} = neighbours(procedure);
  const values = (at) => new Set(label.subformulas[at].rows);
  // In the end a procedure stays at its exit.
  const next = (n) => (procedure.nodes[n].exit ? [...after[n], n] : after[n]);
  const all = procedure.nodes.map((_, n) => n);
  const right = values(parsed.right);
  const left = parsed.op === "EU" ? values(parsed.left) : null;
  const step = {
    EX: () => all.filter((n) => next(n).some((to) => right.has(to))),
    EF: (now) => all.filter((n) => right.has(n) || next(n).some((to) => now.has(to))),
    EU: (now) => all.filter((n) => right.has(n) || (left.has(n) && next(n).some((to) => now.has(to)))),
    EG: (now) => all.filter((n) => right.has(n) && (next(n).length === 0 || next(n).some((to) => now.has(to)))),
  }[parsed.op];
  const found = [new Set(parsed.op === "EG" ? all : [])];
  for (;;) {
    const made = new Set(step(found.at(-1)));
    if (made.size === found.at(-1).size) break;
    found.push(made);
    if (parsed.op === "EX") break;
  }
  const wanted = values(number);
  const isRight = wanted.size === found.at(-1).size && [...wanted].every((row) => found.at(-1).has(row));
  return isRight && found.length > 1 ? found : null;
}
