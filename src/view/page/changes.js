// What changes from one state to the next. The name of a state that was explored tells its values:
// `x = 1, y = 2` of an SMV model, `{a, b: 2}` of a net.

/** name -> value, null if the name of the node is only a name. */
export function valuesOf(name) {
  if (name.startsWith("{") && name.endsWith("}")) {
    const inside = name.slice(1, -1);
    return new Map(inside === "" ? [] : inside.split(", ").map((part) => {
      const colon = part.lastIndexOf(": ");
      return colon < 0 ? [part, "1"] : [part.slice(0, colon), part.slice(colon + 2)];
    }));
  }
  const parts = name.split(", ").map((part) => part.split(" = "));
  return parts.every((part) => part.length === 2) ? new Map(parts) : null;
}

/** [{name, before, after}], all values with `all`; an absent place of a net has no tokens. */
export function changedValues(before, after, all = false) {
  const names = [...new Set([...(before?.keys() ?? []), ...after.keys()])];
  return names
    .map((name) => ({name, before: before ? before.get(name) ?? "0" : undefined, after: after.get(name) ?? "0"}))
    .filter((value) => all || (value.before !== undefined && value.before !== value.after));
}
