// The documents of the page: JSON as the program prints it, compressed. Each is read when it is first
// needed, so that a report of thousands of formulas opens at once.

const readBlocks = new Map();

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (digit) => digit.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

/** The document of that name; null if the page has none. */
export function block(name) {
  if (!readBlocks.has(name)) {
    const source = document.getElementById(name);
    readBlocks.set(name, source?.type === "application/gzip" ? unpack(source.textContent) : Promise.resolve(null));
  }
  return readBlocks.get(name);
}

/** What is asked about: a model and the answers so far, or the warnings about a program. */
export class Subject {
  constructor() {
    this.results = [];  // as in `check --json`; `witness` may be there, or is in a block
    this.lint = null;
    this.labels = new Map();
  }

  /** What the page came with. */
  static async read() {
    const subject = new Subject();
    subject.index = await block("index");
    subject.texts = await block("texts");
    subject.lint = await block("lint");
    subject.setSources(await block("sources"));
    subject.setCheck(await block("check"));
    subject.setModel(await block("model"));
    return subject;
  }

  setSources(sources) {
    this.sources = sources ?? {};
  }

  setCheck(check) {
    this.check = check;
    this.name = check?.model ?? "";
    this.warnings = check?.warnings ?? [];
    this.results = (check?.results ?? []).map((result, number) => ({...result, block: number}));
    this.labels.clear();
  }

  setModel(model) {
    this.model = model;
    this.procedures = new Map((model?.procedures ?? []).map((procedure, number) => [procedure.name, number]));
    this.nodeNumbers = [];
  }

  /** Answers that came later. The number of the first. */
  addAnswers(answer) {
    Object.assign(this.sources, answer.sources);
    if (!this.model && answer.model) this.setModel(answer.model);
    const first = this.results.length;
    answer.check.results.forEach((result, number) => {
      this.results.push(result);
      if (answer.labels[number]) this.labels.set(first + number, answer.labels[number]);
    });
    this.warnings = [...new Set([...this.warnings, ...answer.check.warnings])];
    return first;
  }

  /** Another model takes the place of this one. */
  replace(answer, name) {
    this.setCheck({...answer.check, model: name, results: []});
    this.setSources(null);
    this.setModel(answer.model ?? null);
    this.addAnswers(answer);
  }

  async series(name, number) {
    const key = this.results[number]?.block;
    const at = this.index?.[name]?.[key];
    return at === undefined ? null : (await block(`${name}-${at}`))[key];
  }

  async witness(number) {
    return this.results[number]?.witness ?? (await this.series("witness", number));
  }

  async label(number) {
    return this.labels.get(number) ?? (await this.series("label", number));
  }

  procedure(name) {
    const number = this.procedures.get(name);
    return number === undefined ? null : this.model.procedures[number];
  }

  /** The number of a node in its procedure, -1 if the page does not have it. */
  nodeNumber(procedureName, nodeName) {
    const number = this.procedures.get(procedureName);
    if (number === undefined) return -1;
    this.nodeNumbers[number] ??= new Map(this.model.procedures[number].nodes.map((node, at) => [node.name, at]));
    return this.nodeNumbers[number].get(nodeName) ?? -1;
  }
}

/** Asks the server that the page comes from. Throws an error with a `where`, if it is about a place. */
export async function askServer(fields) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const response = await fetch("ask", {method: "POST", body: form});
  let answer = null;
  try {
    answer = await response.json();
  } catch {
    throw new Error(`the server said ${response.status}`);
  }
  if (answer.error) throw Object.assign(new Error(answer.error.message), {where: answer.error});
  return answer;
}
