import {element} from "./elements.js";
import {VirtualList} from "./virtual_list.js";

/** A source file with one line marked, and signs in the margin where a path calls and returns. */
export class SourceView {
  constructor(subject) {
    this.subject = subject;
    this.rows = [];
    this.marks = new Map();
    this.list = new VirtualList({
      label: "Source", height: 20, row: (i) => this.row(i), choose: (i) => this.list.select(i),
    });
    this.title = element("span", {class: "path"});
    this.element = element("section", {class: "source", "aria-label": "Source"}, element("h3", {}, this.title), this.list.element);
  }

  /** `marks`: line -> {calls, returns, passes}, of that file. */
  show(file, line, marks) {
    const pieces = file ? this.subject.sources[file] : undefined;
    this.element.hidden = pieces === undefined;
    if (pieces === undefined) return;
    if (this.file !== file) {
      this.file = file;
      this.rows = pieces.flatMap((piece, i) => [
        ...(i > 0 || piece.first > 1 ? [{number: 0, text: "⋯"}] : []),
        ...piece.lines.map((text, at) => ({number: piece.first + at, text})),
      ]);
    }
    this.line = line;
    this.marks = marks;
    this.title.textContent = line ? `${file}:${line}` : file;
    this.list.set(this.rows.length);
    this.list.select(this.rows.findIndex((row) => row.number === line));
  }

  row(i) {
    const {number, text} = this.rows[i];
    const mark = this.marks.get(number) ?? {};
    const sign = `${mark.calls ? "↳" : ""}${mark.returns ? "↰" : ""}`;
    return {
      class: `${number === this.line ? "marked" : ""} ${mark.passes ? "passed" : ""}`,
      content: [
        element("span", {class: "number"}, number || ""),
        element("span", {class: "sign", title: sign && "calls and returns of the path"}, sign),
        element("code", {}, text),
      ],
    };
  }
}
