import {button, counted, element} from "./elements.js";
import {VirtualList} from "./virtual_list.js";

// The table of what was decided, or warned of: it sorts, filters and searches.

const SIGNS = {holds: "✓", fails: "✗", unknown: "?", error: "✗", warning: "!", note: "i"};

/** What the table shows, whatever it is about: {number, kind, name, text, place, seconds}. */
function entriesOf(subject) {
  if (subject.lint) {
    return subject.lint.warnings.map((warning, number) => ({
      number, kind: warning.severity, name: warning.rule, text: warning.message,
      place: `${warning.file}:${warning.line}`, search: `${warning.rule} ${warning.message} ${warning.file} ${warning.function} ${warning.subject}`,
    }));
  }
  return subject.results.map((result, number) => ({
    number, kind: result.verdict, name: result.name ?? "", text: result.formula, seconds: result.seconds,
    place: result.reason ?? result.how ?? "", search: `${result.name ?? ""} ${result.formula}`,
  }));
}

export class VerdictTable {
  constructor(subject, {choose, open}) {
    Object.assign(this, {subject, sort: "number", down: false, kinds: new Set(), words: "", open});
    this.list = new VirtualList({
      label: subject.lint ? "Warnings" : "Verdicts", height: 34, row: (i) => this.row(i),
      choose: (i, byKey) => (byKey ? choose(this.shown[i].number) : open(this.shown[i].number)),
      open: (i) => open(this.shown[i].number),
    });
    this.search = element("input", {
      type: "search", placeholder: "search  ( / )", "aria-label": "Search", on: {input: () => this.filter()},
    });
    this.chips = element("div", {class: "chips", role: "group", "aria-label": "Show only"});
    this.count = element("span", {class: "count", role: "status"});
    this.heads = element("div", {class: "heads"});
    this.element = element("section", {class: "verdicts"},
      element("div", {class: "bar"}, this.search, this.chips, this.count), this.heads, this.list.element);
    this.update();
  }

  /** After answers were added. */
  update() {
    this.entries = entriesOf(this.subject);
    const kinds = new Map();
    for (const entry of this.entries) kinds.set(entry.kind, (kinds.get(entry.kind) ?? 0) + 1);
    this.chips.replaceChildren(...[...kinds].map(([kind, count]) =>
      button(`${SIGNS[kind] ?? ""} ${count} ${kind}`, `Show only: ${kind}`, () => {
        if (!this.kinds.delete(kind)) this.kinds.add(kind);
        this.filter();
      }, {class: `chip ${kind}`, "data-kind": kind, "aria-pressed": "false"})));
    const columns = this.subject.lint
      ? [["number", "#"], ["kind", "severity"], ["name", "rule"], ["text", "what"], ["place", "where"]]
      : [["number", "#"], ["kind", "verdict"], ["text", "formula"], ["seconds", "seconds"]];
    this.heads.replaceChildren(...columns.map(([key, text]) =>
      button(text, `Sort by ${text}`, () => this.sortBy(key), {class: `head ${key}`, "data-key": key})));
    this.filter();
  }

  sortBy(key) {
    this.down = this.sort === key && !this.down;
    this.sort = key;
    this.filter();
  }

  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter((word) => word);
    this.shown = this.entries.filter((entry) => {
      const text = entry.search.toLowerCase();
      return (this.kinds.size === 0 || this.kinds.has(entry.kind)) && words.every((word) => text.includes(word));
    });
    const value = (entry) => entry[this.sort] ?? "";
    const sign = this.down ? -1 : 1;
    this.shown.sort((one, other) => {
      const [a, b] = [value(one), value(other)];
      return sign * (a < b ? -1 : a > b ? 1 : 0) || one.number - other.number;
    });
    for (const chip of this.chips.children) chip.setAttribute("aria-pressed", String(this.kinds.has(chip.dataset.kind)));
    for (const head of this.heads.children) {
      const sorted = head.dataset.key === this.sort;
      head.classList.toggle("sorted", sorted);
      head.classList.toggle("down", sorted && this.down);
    }
    this.count.textContent = this.shown.length === this.entries.length ? "" : `${this.shown.length} of ${this.entries.length}`;
    this.list.set(this.shown.length);
    this.select(this.chosen);
  }

  select(number) {
    this.chosen = number;
    this.list.select(this.shown.findIndex((entry) => entry.number === number));
  }

  /** The formula before or after one, as the table is sorted; itself if there is none. */
  neighbour(number, by) {
    const at = this.shown.findIndex((entry) => entry.number === number);
    return this.shown[at + by]?.number ?? this.shown[at < 0 ? 0 : at]?.number ?? number;
  }

  row(i) {
    const entry = this.shown[i];
    const text = entry.name && !this.subject.lint ? [element("b", {}, `${entry.name}: `), entry.text] : [entry.text];
    return {
      class: entry.kind, title: entry.text,
      content: [
        element("span", {class: "number"}, entry.number + 1),
        element("span", {class: `verdict ${entry.kind}`}, `${SIGNS[entry.kind] ?? ""} ${entry.kind}`),
        this.subject.lint ? element("span", {class: "name"}, entry.name) : null,
        element("span", {class: "text"}, text, !this.subject.lint && entry.place ? element("i", {}, ` (${entry.place})`) : null),
        this.subject.lint ? element("span", {class: "place"}, entry.place)
          : element("span", {class: "seconds"}, (entry.seconds ?? 0).toFixed(3)),
      ],
    };
  }

  summary() {
    return counted(this.entries.length, this.subject.lint ? "warning" : "formula", this.subject.lint ? "warnings" : "formulas");
  }
}
