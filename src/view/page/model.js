import {counted, element} from "./elements.js";
import {drawing, nearLayout, procedureDrawing, wholeLayout} from "./graph.js";
import {VirtualList} from "./virtual_list.js";

const MOST_NODE_LABELS = 100;

/** The model: its procedures and who calls whom; one procedure; one node. */
export class ModelView {
  constructor(subject, {move}) {
    this.subject = subject;
    this.move = move;
    this.list = new VirtualList({
      label: "Procedures", height: 30, row: (i) => this.row(i), choose: (i) => move({procedure: this.shown[i], node: undefined}),
    });
    this.search = element("input", {type: "search", placeholder: "search  ( / )", "aria-label": "Search procedures", on: {input: () => this.filter()}});
    this.calls = element("div", {class: "pane graph"});
    this.figure = element("div", {class: "pane graph"});
    this.details = element("div", {class: "pane state"});
    this.note = element("p", {class: "note"});
    this.element = element("section", {class: "model", id: "model"}, this.note,
      element("div", {class: "columns"},
        element("div", {class: "steps"}, element("div", {class: "bar"}, this.search), this.list.element),
        element("div", {class: "middle"}, this.calls, this.figure),
        element("div", {class: "aside"}, this.details)));
    this.forget();
  }

  forget() {
    const {model} = this.subject;
    this.element.classList.toggle("empty", !model);
    this.note.hidden = Boolean(model);
    this.note.textContent = "The page has no graph of the model: its states were not all explored, or there are too many.";
    if (!model) return;
    this.callers = model.procedures.map(() => []);
    const size = new Map();
    model.procedures.forEach((procedure, number) => {
      procedure.callees.forEach((callee) => this.callers[callee].push(number));
      size.set(procedure.component, (size.get(procedure.component) ?? 0) + 1);
    });
    this.isRecursive = model.procedures.map((procedure, number) => size.get(procedure.component) > 1 || procedure.callees.includes(number));
    this.filter();
  }

  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter((word) => word);
    this.shown = [...this.subject.model.procedures.keys()].filter((number) =>
      words.every((word) => this.subject.model.procedures[number].name.toLowerCase().includes(word)));
    this.list.set(this.shown.length);
    this.list.select(this.shown.indexOf(this.chosen));
  }

  row(i) {
    const number = this.shown[i];
    const procedure = this.subject.model.procedures[number];
    return {title: procedure.name, content: [
      element("span", {class: "text"}, procedure.name, number === this.subject.model.initial ? element("small", {}, " initial") : null),
      this.isRecursive[number] ? element("span", {class: "label", title: "recursive"}, "↻") : null,
      element("span", {class: "number"}, procedure.size)]};
  }

  show({procedure: asked, node}) {
    const {model} = this.subject;
    if (!model) return;
    const number = model.procedures[asked] ? asked : model.initial;
    this.chosen = number;
    this.list.select(this.shown.indexOf(number));
    this.element.dataset.procedure = model.procedures[number].name;
    this.showCalls(number);
    this.showProcedure(number, node);
  }

  showCalls(number) {
    const {model} = this.subject;
    this.calls.hidden = model.procedures.length < 2;
    if (this.calls.hidden) return;
    const layout = model.layout ? wholeLayout(model.layout) : nearLayout(number, {after: model.procedures.map((procedure) => procedure.callees), before: this.callers});
    const component = model.procedures[number].component;
    const whole = model.layout !== undefined;
    this.calls.replaceChildren(element("h3", {}, "Calls ", element("small", {}, counted(model.procedures.length, "procedure"))), drawing(layout, {
      focus: number, label: "Call graph",
      look: (at) => {
        const other = model.procedures[at];
        const recursive = this.isRecursive[at] ? "recursive " : "";
        return {text: other.name, title: other.name, class: `procedure ${recursive}${other.component === component ? "same " : ""}${at === number ? "current" : ""}`};
      },
      edgeClass: (a, b) => (model.procedures[a].component === model.procedures[b].component ? "recursive" : ""),
      choose: (at) => this.move({procedure: at, node: undefined}),
    }), element("p", {class: "note"}, whole ? "" : "Near what is chosen: callers above, callees below. ",
      this.isRecursive.some((one) => one) ? "↻ and dashes: procedures that call themselves, by whatever way." : ""));
  }

  showProcedure(number, node = -1) {
    const procedure = this.subject.model.procedures[number];
    this.figure.replaceChildren(element("h3", {}, `${procedure.name} `, element("small", {}, counted(procedure.size, "node"))),
      procedureDrawing(this.subject, procedure, {
        focus: node < procedure.nodes.length ? node : -1,
        choose: (at) => (at < procedure.nodes.length ? this.move({node: at})
          : this.move({procedure: procedure.boxes[at - procedure.nodes.length].callee, node: undefined})),
      }));
    this.showNode(procedure, procedure.nodes[node]);
  }

  showNode(procedure, node) {
    if (!node) {
      this.details.replaceChildren(element("h3", {}, procedure.name),
        element("p", {class: "note"}, "Choose a node to see its labels; choose a call to open what is called."));
      return;
    }
    const labels = (node.labels ?? []).map((label) => this.subject.model.labels[label]);
    this.details.replaceChildren(element("h3", {}, procedure.name), element("p", {class: "node"}, element("code", {}, node.name)),
      element("p", {class: "note"}, [node.entry ? "entry" : "", node.exit ? "exit" : ""].filter((word) => word).join(", ")),
      node.file === undefined ? "" : element("p", {class: "path"}, `${this.subject.model.files[node.file]}:${node.line}`),
      element("ul", {class: "labels"}, ...labels.slice(0, MOST_NODE_LABELS).map((label) => element("li", {class: "label holds"}, label))));
  }
}
