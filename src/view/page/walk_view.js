import {button, counted, element, shortened} from "./elements.js";
import {VirtualList} from "./virtual_list.js";
import {Walk} from "./walk.js";
import {changedValues, valuesOf} from "./changes.js";
import {procedureDrawing} from "./graph.js";
import {SourceView} from "./source.js";
import {claimText, claimTree} from "./claims.js";
import {statePanel} from "./state_panel.js";
import {warningText, warningWitness} from "./warning.js";

// The walk: a path as a list folded by calls; beside it the state that one is in, how it came about, the
// open calls, the procedure as a graph, the source.

const MOST_FRAMES = 300;
const MARKS = {call: "↳ call ", return: "↰ ", "return call": "↰↳ call ", stay: "stays at ", local: ""};

export class WalkView {
  constructor(subject, {move}) {
    this.subject = subject;
    this.move = move;  // to another step or piece
    this.list = new VirtualList({
      label: "Steps", height: 26, row: (i) => this.row(i), choose: (i) => this.choose(i), open: (i) => this.toggle(this.rows[i].step),
    });
    this.source = new SourceView(subject);
    this.proposition = element("select", {"aria-label": "Proposition", title: "Proposition for g and G"});
    this.position = element("output", {class: "position"});
    this.title = element("h2", {class: "formula"});
    this.claims = element("div", {class: "tree"});
    this.state = element("div", {class: "pane state", "aria-live": "polite"});
    this.stack = element("ol", {class: "stack"});
    this.figure = element("div", {class: "pane graph"});
    this.element = element("section", {class: "walk", id: "walk"}, this.title, this.toolbar(),
      element("div", {class: "columns"},
        element("div", {class: "steps"}, this.list.element),
        element("div", {class: "middle"}, this.figure, this.source.element),
        element("div", {class: "aside"}, this.state,
          element("div", {class: "pane"}, element("h3", {}, "Open calls"), this.stack),
          element("div", {class: "pane"}, element("h3", {}, subject.lint ? "Warning" : "Why"), this.claims))));
  }

  toolbar() {
    const go = (text, title, action) => button(text, title, () => this.act(action), {"data-action": action});
    return element("div", {class: "toolbar", role: "toolbar", "aria-label": "Walk"},
      go("|◀", "First step (Home)", "first"), go("◀", "Back (←)", "back"), this.position,
      go("▶", "Forward (→)", "forward"), go("▶|", "Last step (End)", "last"),
      element("span", {class: "gap"}),
      go("↷ over", "Over a call (o)", "over"), go("↳ call", "Next call (c)", "call"), go("↰ return", "To the return (r)", "return"),
      go("↻ loop", "Where the loop begins (l)", "loop"), go("± change", "Next change of labels (d)", "change"),
      element("span", {class: "gap"}),
      this.proposition, go("▼", "Next state where the proposition holds (g)", "holds"), go("▲", "The one before (G)", "held"),
      element("span", {class: "gap"}), go("fold", "Fold or unfold this call (f)", "fold"), go("all", "Fold or unfold all calls (F)", "foldAll"));
  }

  /** A formula, a piece of its evidence and a step. */
  async show({formula = 0, piece, step = 0}) {
    const asked = (this.asked = `${formula} ${piece}`);
    if (this.shown !== asked) {
      const witness = this.subject.lint ? this.warning(formula) : await this.subject.witness(formula);
      if (this.asked !== asked) return;  // somewhere else by now
      this.shown = asked;
      this.begin(formula, witness, piece);
    }
    if (this.walk) this.goTo(Math.min(Math.max(0, step), this.walk.steps.length - 1));
  }

  warning(number) {
    const warning = this.subject.lint.warnings[number];
    return warning ? warningWitness(warning) : null;
  }

  /** Forgets what it shows: another model is there. */
  forget() {
    this.shown = undefined;
    this.source.file = undefined;
  }

  begin(formula, witness, piece) {
    const result = this.subject.results[formula];
    const text = this.subject.lint?.warnings[formula]?.message ?? result?.formula ?? "";
    const kind = this.subject.lint?.warnings[formula]?.severity ?? result?.verdict ?? "";
    this.title.replaceChildren(element("span", {class: `verdict ${kind}`}, kind), " ",
      result?.name ? element("b", {}, `${result.name}: `) : "", element("code", {}, text));
    this.walk = null;
    this.element.classList.toggle("empty", !witness);
    if (!witness) {
      const why = result ? "The page has no witness for this verdict." : "There is nothing to walk through.";
      this.state.replaceChildren(element("p", {class: "note"}, result?.reason ?? why));
      for (const part of [this.claims, this.stack, this.figure]) part.replaceChildren();
      this.list.set(0);
      this.element.removeAttribute("data-step");
      return;
    }
    const start = witness.evidence[piece] ? piece : witness.roots[0];
    this.piece = start;
    this.walk = new Walk(witness, start);
    this.folded = this.walk.uneventful();
    this.passed = this.nodesPassed();
    this.lines = this.lineMarks();
    this.claims.replaceChildren(this.subject.lint ? warningText(this.subject.lint.warnings[formula])
      : claimTree(witness, start, (to) => this.move({piece: to, step: 0})));
    this.proposition.replaceChildren(...this.walk.propositions().map((name) => element("option", {}, name)));
    for (const name of ["loop", "holds", "held", "call", "return", "over", "fold", "foldAll"]) this.enable(name);
    this.layRows();
  }

  enable(action) {
    const possible = {loop: this.walk.loop >= 0, holds: this.proposition.options.length > 0, held: this.proposition.options.length > 0};
    this.element.querySelector(`[data-action=${action}]`).disabled = !(possible[action] ?? this.walk.callEnd.size > 0);
  }

  nodesPassed() {
    const passed = new Set();
    this.walk.steps.forEach((_, i) => {
      const state = this.walk.state(i);
      passed.add(`${state.procedure}\n${state.node}`);
    });
    return passed;
  }

  /** file -> line -> what the path does there */
  lineMarks() {
    const files = new Map();
    const mark = (state, what) => {
      if (!state.file) return;
      if (!files.has(state.file)) files.set(state.file, new Map());
      const lines = files.get(state.file);
      lines.set(state.line, {...lines.get(state.line), passes: true, [what]: true});
    };
    this.walk.steps.forEach((step, i) => {
      mark(this.walk.state(i), "passes");
      if (i > 0 && step.how.includes("call")) mark(this.walk.state(i - 1), "calls");
      if (i > 0 && step.how.includes("return")) mark(this.walk.state(i - 1), "returns");
    });
    return files;
  }

  /** The rows of the list: claims and the steps that are not folded away. */
  layRows() {
    const {walk} = this;
    const headings = new Map(walk.segments.map((segment) => [segment.first, segment]));
    this.rows = [];
    this.rowOf = new Map();
    for (let i = 0; i < walk.steps.length; ++i) {
      const segment = headings.get(i);
      if (segment && !this.subject.lint) {
        for (const one of walk.segments.filter((other) => other.first === i)) this.rows.push({step: i, segment: one});
      }
      const end = this.folded.has(i) ? walk.callEnd.get(i) : i;
      for (let inside = i; inside <= end; ++inside) this.rowOf.set(inside, this.rows.length);
      this.rows.push({step: i, end});
      i = end;
    }
    if (walk.loop >= 0) this.rows.push({step: walk.steps.length - 1, again: true});
    this.list.set(this.rows.length);
  }

  row(number) {
    const {step, segment, end, again} = this.rows[number];
    if (segment) {
      const text = claimText(this.walk.witness, segment.piece);
      return {class: "heading", title: text, content: [segment.joined ? "goes on as: " : "", element("code", {}, text)]};
    }
    if (again) return {class: "again", content: [`↻ is step ${this.walk.loop} again, and so on for ever`]};
    const {how} = this.walk.steps[step];
    const state = this.walk.state(step);
    const depth = this.walk.depth(step);
    const folds = this.walk.callEnd.has(step);
    const inLoop = this.walk.loop >= 0 && step >= this.walk.loop;
    return {
      class: `${inLoop ? "loop" : ""} ${how.includes("call") ? "calls" : ""}`, title: state.node,
      content: [
        element("span", {class: "number"}, step),
        this.indent(depth),
        folds ? button(this.folded.has(step) ? "▸" : "▾", this.folded.has(step) ? "Unfold" : "Fold", () => this.toggle(step), {class: "fold", tabindex: -1}) : element("span", {class: "fold"}),
        element("span", {class: "text"}, (this.subject.lint ? MARKS[how]?.replace("call ", "") : MARKS[how]) ?? "", this.stateText(step),
          end > step ? element("i", {}, ` … ${counted(end - step, "more step")} inside`) : null),
        ...state.labels.slice(0, 4).map((label) => element("span", {class: "label", title: label}, label)),
      ],
    };
  }

  indent(depth) {
    const space = element("span", {class: "indent"});
    space.style.width = `${12 * Math.min(depth, 12)}px`;
    return space;
  }

  /** What is different in an explored state, else where it is. */
  stateText(step) {
    const state = this.walk.state(step);
    const values = valuesOf(state.node);
    if (!values) return this.placeText(step, state);
    if (step === 0) return state.node;
    const changed = changedValues(valuesOf(this.walk.state(step - 1).node), values);
    return changed.map(({name, before, after}) => `${name}: ${before} → ${after}`).join(", ") || "(nothing changes)";
  }

  /** Names are told by their ends; the procedure where it is another one. */
  placeText(step, state) {
    if (this.subject.lint) return state.node;
    const node = shortened(state.node, 36);
    return step > 0 && this.walk.steps[step].how === "local" ? node : `${state.procedure} · ${node}`;
  }

  choose(row) {
    const {step, again} = this.rows[row];
    this.move({step: again ? this.walk.loop : step});
  }

  toggle(step) {
    const call = this.walk.inCall[step];
    if (call < 0) return;
    if (!this.folded.delete(call)) this.folded.add(call);
    this.layRows();
    this.move({step: this.folded.has(call) && this.step > call && this.step <= this.walk.callEnd.get(call) ? call : this.step});
  }

  toggleAll() {
    this.folded = this.folded.size > 0 ? new Set() : new Set(this.walk.callEnd.keys());
    this.layRows();
    const row = this.rows[this.rowOf.get(this.step)];
    this.move({step: row.step});
  }

  act(action) {
    const {walk, step} = this;
    if (!walk) return;
    const last = walk.steps.length - 1;
    const wanted = this.proposition.value;
    const holds = (i) => walk.state(i).labels.includes(wanted);
    const labels = (i) => walk.state(i).labels.join("\n");
    const found = {
      first: () => 0, last: () => last, back: () => Math.max(0, step - 1), forward: () => Math.min(last, step + 1),
      over: () => walk.over(step), call: () => walk.nextCall(step), return: () => walk.nextReturn(step), loop: () => walk.loop,
      change: () => walk.find(step, 1, (i) => labels(i) !== labels(i - 1)),
      holds: () => walk.find(step, 1, holds), held: () => walk.find(step, -1, holds),
      fold: () => this.toggle(step), foldAll: () => this.toggleAll(),
    }[action]();
    if (found !== undefined && found >= 0) this.move({step: found});
  }

  goTo(step) {
    this.step = step;
    const hidden = [];
    for (let call = this.walk.inCall[step]; call >= 0; call = this.walk.callAround.get(call)) {
      if (call < step && this.folded.has(call)) hidden.push(call);
    }
    if (hidden.length > 0) {
      hidden.forEach((call) => this.folded.delete(call));
      this.layRows();
    }
    this.list.select(this.rowOf.get(step));
    const state = this.walk.state(step);
    this.position.textContent = `${step} / ${this.walk.steps.length - 1}`;
    Object.assign(this.element.dataset, {
      step, procedure: state.procedure, node: state.node, depth: this.walk.depth(step), how: this.walk.steps[step].how,
      labels: state.labels.join("\n"), piece: this.walk.steps[step].piece, at: this.walk.steps[step].at,
    });
    this.state.replaceChildren(...statePanel(this.subject, this.walk, step));
    this.showStack(step);
    this.showGraph(step, state);
    this.source.show(state.file, state.line, this.lines.get(state.file) ?? new Map());
  }

  showStack(step) {
    const frames = this.walk.frames(step);
    const left = frames.length - MOST_FRAMES;
    this.stack.replaceChildren(...frames.slice(0, MOST_FRAMES).map(({procedure, box, calledAt}, i) => element("li", {
      class: i === 0 ? "current" : "", "data-frame": frames.length - 1 - i,
    }, calledAt >= 0
      ? button(procedure, `To the call, step ${calledAt}`, () => this.move({step: calledAt}), {class: "link"}) : element("span", {}, procedure),
    box ? element("small", {}, ` ${box}`) : null)), left > 0 ? element("li", {class: "note"}, `and ${counted(left, "more call")} below`) : "");
  }

  showGraph(step, state) {
    const procedure = this.subject.procedure(state.procedure);
    if (!procedure) {
      this.figure.hidden = true;
      return;
    }
    this.figure.hidden = false;
    const focus = this.subject.nodeNumber(state.procedure, state.node);
    const before = step > 0 ? this.walk.state(step - 1) : null;
    const from = before?.procedure === state.procedure ? this.subject.nodeNumber(before.procedure, before.node) : -1;
    this.figure.replaceChildren(element("h3", {}, `${state.procedure} `, element("small", {}, this.subject.model.states ? `${counted(procedure.size, "state")}` : `${counted(procedure.size, "node")}, ${counted(procedure.boxes?.length ?? 0, "call")}`)),
      procedureDrawing(this.subject, procedure, {
        focus, look: (number) => ({class: this.passed.has(`${procedure.name}\n${procedure.nodes[number]?.name}`) ? "passed" : ""}),
        edgeClass: (a, b) => (a === from && b === focus ? "taken" : ""),
        choose: (number) => {
          const name = procedure.nodes[number]?.name;
          const to = this.walk.find(step, 1, (i) => this.at(i, procedure.name, name));
          const back = to >= 0 ? to : this.walk.find(step, -1, (i) => this.at(i, procedure.name, name));
          if (back >= 0) this.move({step: back});
        },
      }));
  }

  at(step, procedure, node) {
    const state = this.walk.state(step);
    return state.procedure === procedure && state.node === node;
  }
}
