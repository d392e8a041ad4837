import {element} from "./elements.js";

const MOST_PRINTED = 5000;
const MORE_ROWS = 8;  // above and below what is seen

/** A list of rows of one height, of which those that are seen exist. */
export class VirtualList {
  /** `row(i)` makes the content of row i: {content: […], class, label}. `choose(i)`: it was clicked or moved to. */
  constructor({label, height = 30, row, choose, open}) {
    Object.assign(this, {height, row, choose, open, count: 0, chosen: -1, made: new Map()});
    this.room = element("div", {class: "room"});
    this.id = `list-${++VirtualList.lists}`;
    this.element = element("div", {
      class: "list", tabindex: 0, role: "listbox", "aria-label": label,
      on: {
        scroll: () => this.paint(),
        keydown: (event) => this.key(event),
        click: (event) => this.click(event, false),
        dblclick: (event) => this.click(event, true),
      },
    }, this.room);
    new ResizeObserver(() => this.paint()).observe(this.element);
    window.addEventListener("beforeprint", () => this.print(true));
    window.addEventListener("afterprint", () => this.print(false));
  }

  /** So many rows from now on, all made anew. */
  set(count, chosen = -1) {
    this.count = count;
    this.chosen = chosen;
    this.room.style.height = `${count * this.height}px`;
    this.refresh();
  }

  refresh() {
    this.room.replaceChildren();
    this.made.clear();
    this.paint();
  }

  select(number) {
    const before = this.made.get(this.chosen);
    before?.setAttribute("aria-selected", "false");
    this.chosen = number;
    this.show(number);
    this.paint();
    this.made.get(number)?.setAttribute("aria-selected", "true");
    this.element.setAttribute("aria-activedescendant", number < 0 ? "" : `${this.id}-${number}`);
  }

  /** Scrolls as little as is needed. */
  show(number) {
    if (number < 0) return;
    const top = number * this.height;
    const {scrollTop, clientHeight} = this.element;
    const margin = Math.min(2 * this.height, clientHeight / 4);
    if (top - margin < scrollTop) {
      this.element.scrollTop = top - margin;
    } else if (top + this.height + margin > scrollTop + clientHeight) {
      this.element.scrollTop = top + this.height + margin - clientHeight;
    }
  }

  paint(all = this.printing) {
    const {scrollTop, clientHeight} = this.element;
    const first = all ? 0 : Math.max(0, Math.floor(scrollTop / this.height) - MORE_ROWS);
    const seen = Math.ceil((clientHeight || 400) / this.height) + 2 * MORE_ROWS;
    const end = all ? Math.min(this.count, MOST_PRINTED) : Math.min(this.count, first + seen);
    for (const [number, made] of this.made) {
      if (number < first || number >= end) {
        made.remove();
        this.made.delete(number);
      }
    }
    for (let number = first; number < end; ++number) {
      if (!this.made.has(number)) this.make(number);
    }
  }

  make(number) {
    const {content, class: kind = "", title} = this.row(number);
    const made = element("div", {
      class: `row ${kind}`, role: "option", id: `${this.id}-${number}`, "data-row": number, title,
      "aria-selected": number === this.chosen, "aria-posinset": number + 1, "aria-setsize": this.count,
    }, content);
    made.style.top = `${number * this.height}px`;
    made.style.height = `${this.height}px`;
    this.made.set(number, made);
    this.room.append(made);
  }

  print(printing) {
    this.printing = printing;
    this.refresh();
  }

  click(event, opens) {
    const row = event.target.closest("[data-row]");
    if (!row || event.target.closest("button")) return;
    const number = Number(row.dataset.row);
    (opens && this.open ? this.open : this.choose)(number);
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height) - 1);
    const by = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page}[event.key];
    let to = by === undefined ? undefined : this.chosen + by;
    if (event.key === "Home") to = 0;
    if (event.key === "End") to = this.count - 1;
    if (event.key === "Enter" && this.open && this.chosen >= 0) this.open(this.chosen);
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey || this.count === 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(Math.min(Math.max(to, 0), this.count - 1), true);
  }
}
VirtualList.lists = 0;
