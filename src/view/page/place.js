// Where the reader is: kept in the address, so that a link leads there.

const KEPT_MILLISECONDS = 200;  // browsers refuse addresses that change too often

function readFragment() {
  const place = {};
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    place[name] = /^\d+$/.test(value) ? Number(value) : value;
  }
  return place;
}

export class Place {
  constructor(changed) {
    this.now = readFragment();
    this.changed = changed;
    window.addEventListener("hashchange", () => {
      const text = location.hash.slice(1);
      if (text !== this.written) this.go(readFragment());
    });
  }

  /** Somewhere else. */
  go(place) {
    this.now = place;
    this.keep();
    this.changed(place);
  }

  /** The same place but for this. */
  move(changes) {
    this.go({...this.now, ...changes});
  }

  keep() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const fields = Object.entries(this.now).filter(([, value]) => value !== undefined && value !== "");
      this.written = new URLSearchParams(fields).toString();
      history.replaceState(null, "", `#${this.written}`);
    }, KEPT_MILLISECONDS);
  }
}
