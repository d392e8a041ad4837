import {button, element} from "./elements.js";
import {askServer} from "./data.js";

/** A byte's place in a text as the place of a character: columns count bytes. */
function offsetOf(text, line, column) {
  const lines = text.split("\n");
  const before = lines.slice(0, Math.max(0, line - 1)).reduce((sum, one) => sum + one.length + 1, 0);
  const bytes = new TextEncoder().encode(lines[line - 1] ?? "").slice(0, Math.max(0, column - 1));
  return before + new TextDecoder().decode(bytes).length;
}

/** Live pages only: formulas are asked of the model that is served, or of one that is written here. */
export class AskView {
  constructor(subject, {answered, replaced}) {
    Object.assign(this, {subject, answered, replaced});
    const texts = subject.texts ?? {examples: [], formats: []};
    this.formula = element("textarea", {rows: 3, spellcheck: "false", "aria-label": "Formulas", placeholder: "AG (p -> AF q)   one formula a line"});
    this.model = element("textarea", {rows: 18, spellcheck: "false", "aria-label": "Model", class: "text"});
    this.format = element("select", {"aria-label": "Format"}, ...texts.formats.map((format) => element("option", {value: format.id}, format.id)));
    this.example = element("select", {"aria-label": "Example", on: {change: () => this.take(Number(this.example.value))}},
      element("option", {value: -1}, texts.own ? texts.own.name : "an example …"),
      ...texts.examples.map((example, number) => element("option", {value: number}, example.name)));
    this.problem = element("p", {class: "problem", role: "alert"});
    this.asking = button("Ask", "Ask (Ctrl+Enter)", () => this.ask(), {class: "main"});
    const edits = Boolean(texts.own) || !subject.check;
    this.edited = element("input", {type: "checkbox", id: "edited", on: {change: () => this.arrange()}});
    this.editor = element("div", {class: "editor"}, element("div", {class: "bar"}, this.example, element("label", {}, "format ", this.format)), this.model);
    this.element = element("section", {class: "ask", id: "ask"},
      element("h2", {}, "Ask"), this.formula,
      element("div", {class: "bar"}, this.asking, edits || texts.examples.length > 0
        ? element("label", {for: "edited"}, this.edited, " of the model below, as it is written there") : null),
      this.problem, this.editor);
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.ask();
    });
    this.edited.checked = !subject.check;
    this.take(subject.check ? -1 : 0);
    this.arrange();
  }

  arrange() {
    this.editor.hidden = !this.edited.checked;
  }

  take(number) {
    const {own, examples = [], formats = []} = this.subject.texts ?? {};
    const chosen = number < 0 ? own : examples[number];
    this.example.value = String(number);
    if (!chosen) return;
    this.model.value = chosen.text;
    if (chosen.formulas) this.formula.value = chosen.formulas;
    const format = formats.find(({extension}) => extension && chosen.name.endsWith(extension));
    if (format) this.format.value = format.id;
  }

  async ask() {
    const edited = this.edited.checked;
    this.problem.textContent = "";
    this.asking.disabled = true;
    try {
      const fields = {formula: this.formula.value};
      if (edited) Object.assign(fields, {model: this.model.value, format: this.format.value});
      const answer = await askServer(fields);
      if (edited) this.replaced(answer, `${this.example.selectedOptions[0]?.textContent ?? "model"}, edited`);
      else this.answered(answer);
    } catch (error) {
      this.complain(error);
    }
    this.asking.disabled = false;
  }

  /** The message, and what is wrong marked where it stands. */
  complain(error) {
    const {line = 0, column = 0, file = ""} = error.where ?? {};
    this.problem.textContent = `${line ? `${file}:${line}:${column}: ` : ""}${error.message}`;
    const field = file === "<model>" ? this.model : this.formula;
    if (!line) return;
    const at = offsetOf(field.value, line, column);
    const end = field.value.indexOf("\n", at);
    field.focus();
    field.setSelectionRange(at, Math.max(at + 1, end < 0 ? field.value.length : end));
    field.scrollTop = (line - 4) * parseFloat(getComputedStyle(field).lineHeight);
  }
}
