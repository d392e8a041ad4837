import {button, counted, element} from "./elements.js";
import {Subject} from "./data.js";
import {Place} from "./place.js";
import {VerdictTable} from "./verdicts.js";
import {WalkView} from "./walk_view.js";
import {LabellingView} from "./labelling.js";
import {ModelView} from "./model.js";
import {AskView} from "./ask.js";

const KEYS = {
  ArrowRight: "forward", n: "forward", ArrowLeft: "back", p: "back", Home: "first", End: "last", o: "over", c: "call", r: "return",
  l: "loop", d: "change", g: "holds", G: "held", f: "fold", F: "foldAll",
};
const HELP = [
  ["→ ←", "forward, back"], ["Home End", "first and last step"], ["o", "over a call"], ["c", "to the next call"], ["r", "to the return"],
  ["l", "to where the loop begins"], ["d", "to the next change of labels"], ["g G", "to the next, the previous state where the proposition holds"],
  ["f F", "fold or unfold this call, all calls"], ["[ ]", "the formula before, after"], ["1 … 5", "the views"],
  ["/", "search"], ["↑ ↓ Enter", "in lists"], ["Esc", "back to the table"], ["?", "this help"],
];

class Main {
  constructor(subject) {
    this.subject = subject;
    this.place = new Place(() => this.show());
    const move = (changes) => this.place.move(changes);
    this.table = new VerdictTable(subject, {
      choose: (formula) => move({formula}),
      open: (formula) => this.place.go({view: "walk", formula}),
    });
    this.views = {verdicts: {text: subject.lint ? "Warnings" : "Verdicts", view: this.table}};
    this.views.walk = {text: "Walk", view: new WalkView(subject, {move})};
    if (!subject.lint) {
      this.views.labelling = {text: "Labelling", view: new LabellingView(subject, {move})};
      this.views.model = {text: "Model", view: new ModelView(subject, {move})};
    }
    if (subject.index.live) {
      this.views.ask = {text: "Ask", view: new AskView(subject, {
        answered: (answer) => this.answered(subject.addAnswers(answer)),
        replaced: (answer, name) => {
          subject.replace(answer, name);
          this.answered(0);
        },
      })};
    }
    this.build();
    document.addEventListener("keydown", (event) => this.key(event));
    this.show();
  }

  build() {
    this.tabs = Object.entries(this.views).map(([name, {text}], i) => button(text, `${text} (${i + 1})`, () => this.open(name), {
      class: "tab", role: "tab", "data-view": name, "aria-controls": `view-${name}`,
    }));
    this.panels = Object.entries(this.views).map(([name, {view}]) =>
      element("main", {class: "view", id: `view-${name}`, role: "tabpanel", "data-view": name, hidden: true}, view.element));
    this.name = element("h1");
    this.summary = element("span", {class: "summary"});
    this.warnings = element("details", {class: "warnings"});
    this.help = element("dialog", {class: "help"}, element("h2", {}, "Keys"),
      element("dl", {}, ...HELP.flatMap(([keys, text]) => [element("dt", {}, keys), element("dd", {}, text)])),
      button("Close", "Close", () => this.help.close()));
    document.getElementById("app").replaceChildren(
      element("header", {}, this.name, this.summary, element("nav", {role: "tablist", "aria-label": "Views"}, ...this.tabs),
        button("?", "Keys (?)", () => this.help.showModal(), {class: "tab"})),
      this.warnings, ...this.panels, this.help);
    this.describe();
  }

  describe() {
    const {subject} = this;
    const name = subject.lint ? "Lint" : subject.name || "Nestor";
    document.title = `${name} – Nestor`;
    this.name.textContent = name;
    const version = subject.check?.nestor ?? subject.lint?.nestor;
    this.summary.textContent = [this.table.summary(), subject.model ? counted(subject.model.nodes, subject.model.states ? "state" : "node") : "",
      version ? `Nestor ${version}` : ""].filter((part) => part).join(" · ");
    const warnings = subject.lint ? [...subject.lint.unknown, ...subject.lint.notes] : subject.warnings;
    this.warnings.hidden = warnings.length === 0;
    this.warnings.replaceChildren(element("summary", {}, counted(warnings.length, subject.lint ? "note" : "warning")),
      element("ul", {}, ...warnings.map((warning) => element("li", {}, warning))));
  }

  answered(first) {
    for (const {view} of Object.values(this.views)) view.forget?.();
    this.table.update();
    this.describe();
    this.place.go({view: "walk", formula: first});
  }

  viewName() {
    const {view, formula} = this.place.now;
    if (this.views[view]) return view;
    if (formula !== undefined) return "walk";
    return this.subject.check || this.subject.lint ? "verdicts" : "ask";
  }

  open(view) {
    const {formula} = this.place.now;
    this.place.go(view === this.viewName() ? this.place.now : {view, formula: formula ?? 0});
  }

  show() {
    const now = this.viewName();
    for (const part of [...this.tabs, ...this.panels]) {
      const chosen = part.dataset.view === now;
      if (part.matches(".tab")) part.setAttribute("aria-selected", String(chosen));
      else part.hidden = !chosen;
    }
    document.body.dataset.view = now;
    if (now === "verdicts") this.table.select(this.place.now.formula);
    else this.views[now].view.show?.(this.place.now);
  }

  key(event) {
    if (event.target.closest("input, textarea, select") && event.key !== "Escape") return;
    if (event.altKey || event.ctrlKey || event.metaKey || this.help.open) return;
    const now = this.viewName();
    const number = Number(event.key);
    const names = Object.keys(this.views);
    if (number >= 1 && number <= names.length) {
      this.open(names[number - 1]);
    } else if (event.key === "?") {
      this.help.showModal();
    } else if (event.key === "/") {
      this.panels.find((panel) => !panel.hidden).querySelector("input[type=search]")?.focus();
    } else if (event.key === "Escape") {
      if (event.target.blur) event.target.blur();
      if (!event.target.closest("input, textarea, select")) this.open("verdicts");
    } else if (event.key === "[" || event.key === "]") {
      const formula = this.table.neighbour(this.place.now.formula ?? 0, event.key === "]" ? 1 : -1);
      this.place.go({view: now, formula});
    } else if (KEYS[event.key] && this.views[now].view.act) {
      this.views[now].view.act(KEYS[event.key]);
    } else {
      return;
    }
    event.preventDefault();
  }
}

if (typeof DecompressionStream === "undefined") {
  document.getElementById("app").textContent = "This browser is too old for this page: it cannot decompress data.";
} else {
  Subject.read().then((subject) => {
    window.nestor = new Main(subject);
    document.body.dataset.ready = "true";
  });
}
