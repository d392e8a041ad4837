import {button, element} from "./elements.js";
import {formulaText} from "./formula_text.js";

// The tree of claims that a witness is: each is shown by a path, by labels, or by other claims.

const MOST_CHILDREN = 30;

const KINDS = {
  fact: "by the labels there", form: "everywhere, by its form", parts: "because", next: "by one step",
  until: "by a path", always: "by a path without end", path: "by a path",
  all: "about all paths: none can show it", decided: "not shown: nestor replay decides it",
};

export function claimText(witness, piece) {
  const {formula, holds} = witness.evidence[piece];
  return `${formulaText(witness.formulas, formula)} ${holds ? "holds" : "fails"}`;
}

function childrenOf(evidence) {
  const along = evidence.along ?? [];
  const states = evidence.path ? evidence.path.length - (evidence.ending === "dead end" ? 0 : 1) : 1;
  const each = evidence.kind === "path" ? Math.max(1, along.length / states) : 1;
  return [
    ...along.map((piece, i) => ({piece, where: `at step ${Math.floor(i / each)}`})),
    ...(evidence.parts ?? []).map((piece) => ({piece, where: evidence.path ? "at the end" : ""})),
    ...(evidence.ending === "joins" ? [{piece: evidence.joins, where: "goes on as"}] : []),
  ];
}

/** The tree from a witness's roots; `open(piece)` is called for a claim that is chosen. */
export function claimTree(witness, current, open) {
  const item = ({piece, where}, level) => {
    const evidence = witness.evidence[piece];
    const children = childrenOf(evidence);
    const line = button("", `Walk through claim ${piece}`, () => open(piece), {
      class: `claim ${evidence.holds ? "holds" : "fails"}`, "data-piece": piece, "aria-current": piece === current ? "true" : undefined,
    });
    line.append(element("span", {class: "sign"}, evidence.holds ? "✓" : "✗"), element("code", {}, claimText(witness, piece)),
      element("small", {}, ` ${where} ${KINDS[evidence.kind]}`));
    if (children.length === 0) return element("li", {}, line);
    const inside = element("ul", {});
    const fill = () => {
      if (inside.childElementCount > 0) return;
      inside.append(...children.slice(0, MOST_CHILDREN).map((child) => item(child, level + 1)));
      if (children.length > MOST_CHILDREN) {
        inside.append(element("li", {class: "note"}, `and ${children.length - MOST_CHILDREN} more: nestor check --witness --json has them`));
      }
    };
    const folder = element("details", {open: level < 2, on: {toggle: fill}}, element("summary", {}, line), inside);
    if (level < 2) fill();
    return element("li", {}, folder);
  };
  return element("ul", {class: "claims"}, ...witness.roots.slice(0, MOST_CHILDREN).map((piece) => item({piece, where: ""}, 0)));
}
