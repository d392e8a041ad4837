// Formulas of a witness as text. `formulas` is the table of them: operands before what they are in.

const WORDS = {and: "&", or: "|", implies: "->", iff: "<->", xor: "xor"};
const PLAIN = /^[A-Za-z_][\w.]*$/;

export function formulaText(formulas, number) {
  const {op, name, left, right} = formulas[number];
  // Unary operators bind tighter than the others.
  const inner = (at) => {
    const infix = formulas[at].right !== undefined && !/^[EA][UWR]$/.test(formulas[at].op);
    return infix ? `(${formulaText(formulas, at)})` : formulaText(formulas, at);
  };
  if (op === "atom") return PLAIN.test(name) ? name : `"${name.replaceAll('"', "'")}"`;
  if (op === "not") return `!${inner(left)}`;
  if (WORDS[op]) return `${inner(left)} ${WORDS[op]} ${inner(right)}`;
  if (/^[EA][UWR]$/.test(op)) return `${op[0]} [${inner(left)} ${op[1]} ${inner(right)}]`;
  if (right !== undefined) return `${inner(left)} ${op} ${inner(right)}`;
  return left === undefined ? op : `${op} ${inner(left)}`;
}
