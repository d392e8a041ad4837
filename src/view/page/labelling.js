import {button, counted, element} from "./elements.js";
import {approximations} from "./approximations.js";
import {procedureDrawing} from "./graph.js";
import {VirtualList} from "./virtual_list.js";

/** Where a formula and its parts hold: nodes coloured by the value in a chosen context. */
export class LabellingView {
  constructor(subject, {move}) {
    this.subject = subject;
    this.move = move;
    this.parts = new VirtualList({
      label: "Subformulas", height: 30, row: (i) => this.partRow(i), choose: (i) => move({part: i, approximation: undefined}),
    });
    this.nodes = new VirtualList({
      label: "Nodes", height: 26, row: (i) => this.nodeRow(i), choose: (i) => move({node: i}),
    });
    this.context = element("select", {"aria-label": "Procedure and context", on: {change: () => move({context: this.context.selectedIndex})}});
    this.stepper = element("div", {class: "stepper toolbar"});
    this.figure = element("div", {class: "pane graph"});
    this.title = element("h2", {class: "formula"});
    this.note = element("p", {class: "note"});
    this.element = element("section", {class: "labelling", id: "labelling"}, this.title, this.note,
      element("div", {class: "columns"},
        element("div", {class: "steps"}, element("h3", {}, "The formula and its parts"), this.parts.element),
        element("div", {class: "middle"},
          element("div", {class: "bar"}, element("label", {}, "Context ", this.context), this.stepper), this.figure),
        element("div", {class: "aside"}, element("h3", {}, "Nodes"), this.nodes.element)));
  }

  forget() {
    this.shown = undefined;
  }

  async show({formula = 0, part, context = 0, approximation, node = -1}) {
    const asked = (this.asked = String(formula));
    const label = await this.subject.label(formula);
    if (this.asked !== asked) return;
    this.title.replaceChildren(element("code", {}, this.subject.results[formula]?.formula ?? ""));
    this.element.classList.toggle("empty", !label);
    this.note.textContent = label ? "" : "There are no values of this formula on the page: there are too many nodes, too many formulas, or it is not a formula of CTL. nestor label prints them.";
    this.note.hidden = Boolean(label);
    if (!label) return;
    this.label = label;
    this.part = Math.min(part ?? label.subformulas.length - 1, label.subformulas.length - 1);
    this.instance = label.instances[Math.min(context, label.instances.length - 1)];
    this.procedure = this.subject.procedure(this.instance.procedure);
    this.setUp(asked, context);
    this.approximate(approximation);
    this.parts.set(label.subformulas.length, this.part);
    this.parts.select(this.part);
    this.nodes.set(this.instance.nodes.length);
    this.nodes.select(node);
    Object.assign(this.element.dataset, {part: this.part, holds: [...this.instance.nodes.keys()].filter((row) => this.value(row)).join(" ")});
    this.draw(node);
  }

  setUp(asked, context) {
    if (this.shown !== asked) {
      this.shown = asked;
      const seen = new Map();
      this.context.replaceChildren(...this.label.instances.map(({procedure, context}) => {
        seen.set(procedure, (seen.get(procedure) ?? 0) + 1);
        return element("option", {}, `${procedure}, ${context ?? `context ${seen.get(procedure)}`}`);
      }));
    }
    this.context.selectedIndex = context;
  }

  /** The stepper through the approximations, where there are some. */
  approximate(approximation) {
    const isPartial = !this.procedure || this.procedure.nodes.length < this.procedure.size;
    this.steps = isPartial ? null : approximations(this.label, this.part, this.procedure, isPartial);
    this.stepper.hidden = !this.steps;
    if (!this.steps) return;
    const last = this.steps.length - 1;
    this.at = Math.min(approximation ?? last, last);
    const go = (text, title, to) => button(text, title, () => this.move({approximation: to}), {disabled: to < 0 || to > last});
    this.stepper.replaceChildren("Approximation ", go("|◀", "The first one", 0), go("◀", "The one before (←)", this.at - 1),
      element("output", {}, `${this.at} / ${last}`), go("▶", "The next one (→)", this.at + 1), go("▶|", "The fixpoint", last),
      element("span", {class: "note"}, counted(this.steps[this.at].size, "state")));
  }

  act(action) {
    if (!this.steps) return;
    const to = {first: 0, back: this.at - 1, forward: this.at + 1, last: this.steps.length - 1}[action];
    if (to !== undefined) this.move({approximation: Math.min(Math.max(0, to), this.steps.length - 1)});
  }

  /** Of the chosen part in a row of the chosen instance. */
  value(row) {
    if (this.steps) return this.steps[this.at].has(row);
    this.rowSets ??= new WeakMap();
    const part = this.label.subformulas[this.part];
    if (!this.rowSets.has(part)) this.rowSets.set(part, new Set(part.rows));
    return this.rowSets.get(part).has(this.instance.first_row + row);
  }

  isNew(row) {
    return this.steps && this.at > 0 && this.steps[this.at - 1].has(row) !== this.steps[this.at].has(row);
  }

  partRow(i) {
    const {formula, rows} = this.label.subformulas[i];
    return {title: formula, content: [element("code", {class: "text"}, formula), element("span", {class: "number"}, rows.length)]};
  }

  nodeRow(i) {
    const holds = this.value(i);
    const name = this.instance.nodes[i];
    return {class: `${holds ? "holds" : "fails"}${this.isNew(i) ? " changed" : ""}`, title: name,
      content: [element("span", {class: "verdict"}, holds ? "✓" : "✗"), this.subject.model?.states ? element("b", {}, `s${i}`) : null,
        element("span", {class: "text"}, name)]};
  }

  draw(node) {
    if (!this.procedure) {
      this.figure.replaceChildren(element("p", {class: "note"}, "This procedure is not part of the page."));
      return;
    }
    const rows = new Map(this.instance.nodes.map((name, row) => [this.subject.nodeNumber(this.instance.procedure, name), row]));
    this.figure.replaceChildren(element("h3", {}, this.procedure.name), procedureDrawing(this.subject, this.procedure, {
      focus: node < 0 ? -1 : this.subject.nodeNumber(this.instance.procedure, this.instance.nodes[node]),
      look: (number) => {
        const row = rows.get(number);
        return {class: row === undefined ? "" : `${this.value(row) ? "yes" : "no"}${this.isNew(row) ? " fresh" : ""}`};
      },
      choose: (number) => {
        if (rows.has(number)) this.move({node: rows.get(number)});
      },
    }));
  }
}
