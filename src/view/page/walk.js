// A walk: the states that one goes through to see why a claim is true, from a witness as
// share/nestor/schema/witness.schema.json describes it.

function isCall(step) {
  return step.how === "call" || step.how === "return call";
}
function isReturn(step) {
  return step.how === "return" || step.how === "return call";
}

export class Walk {
  /** From a piece of evidence on; where it ends, on with what is claimed there, as far as that is a path. */
  constructor(witness, piece) {
    this.witness = witness;
    this.steps = [];
    this.depths = [];    // by stack
    this.segments = [];  // {piece, first, last, joined}: which claim a part of the walk shows
    this.follow(piece);
    this.ending = this.segments.at(-1).ending;
    this.loop = this.ending === "loop" ? this.segments.at(-1).loop : -1;  // the step that the last one is again
    this.matchCalls();
    this.findOwners();
  }

  follow(first) {
    for (let at = first; at !== undefined;) {
      const evidence = this.witness.evidence[at];
      const end = this.append(at, evidence, 0);
      // The one with a path goes on, as in the text of the witness.
      at = (end.parts ?? []).find((part) => {
        const next = this.witness.evidence[part];
        return (next.path?.length ?? 0) > 1 || next.parts?.length > 0;
      });
    }
  }

  /** The path of a piece from a place on; and of what it joins. The piece that ends it. */
  append(piece, evidence, from) {
    const path = evidence.path ?? [evidence.state];
    const begin = this.steps.length === 0 ? 0 : this.steps.length - 1;  // paths share the state where they meet
    for (let i = from; i < path.length; ++i) {
      if (i === from && this.steps.length > 0) continue;
      this.steps.push({state: path[i], how: i === 0 ? "" : evidence.steps[i - 1], piece, at: i});
    }
    const loop = evidence.ending === "loop" ? this.closeLoop(piece, evidence, begin - from, from) : -1;
    this.segments.push({piece, first: begin, last: this.steps.length - 1, joined: from > 0, ending: evidence.ending, loop});
    if (evidence.ending !== "joins") return evidence;
    return this.append(evidence.joins, this.witness.evidence[evidence.joins], evidence.join_at);
  }

  /** The step that the last one is again. A path that was joined behind that step goes on to where it was joined. */
  closeLoop(piece, evidence, offset, from) {
    if (evidence.loop >= from) return offset + evidence.loop;
    if (evidence.grown.length > 0) return -1;  // each time round with other stacks
    for (let i = evidence.loop + 1; i <= from; ++i) {
      this.steps.push({state: evidence.path[i], how: evidence.steps[i - 1], piece, at: i});
    }
    return offset + from;
  }

  state(step) {
    return this.witness.states[this.steps[step].state];
  }

  depth(step) {
    return this.stackDepth(this.state(step).stack);
  }

  stackDepth(stack) {
    let depth = 0;
    let at = stack;
    while (at !== 0 && this.depths[at] === undefined) {
      at = this.witness.stacks[at].below;
      ++depth;
    }
    depth += at === 0 ? 0 : this.depths[at];
    this.depths[stack] = depth;
    return depth;
  }

  /** For each call the last step inside; for each step the call that it is in, -1 if that is not on the walk. */
  matchCalls() {
    this.callEnd = new Map();
    this.callAround = new Map();  // of a call, the one around it
    this.inCall = new Int32Array(this.steps.length).fill(-1);
    const open = [];
    this.steps.forEach((step, i) => {
      if (isReturn(step) && open.length > 0) this.callEnd.set(open.pop(), i - 1);
      if (isCall(step)) {
        this.callAround.set(i, open.at(-1) ?? -1);
        open.push(i);
      }
      this.inCall[i] = open.at(-1) ?? -1;
    });
    for (const call of open) this.callEnd.set(call, this.steps.length - 1);
  }

  /** The procedure that runs on top of a stack: any state under it tells. */
  findOwners() {
    this.owners = new Map();
    for (const state of this.witness.states) {
      if (!this.owners.has(state.stack)) this.owners.set(state.stack, state.procedure);
    }
  }

  /** The open calls of a step, innermost first: {procedure, box, calledAt}, the last being the step before the call. */
  frames(step) {
    const frames = [];
    const state = this.state(step);
    let procedure = state.procedure;
    let call = this.inCall[step];
    for (let stack = state.stack; stack !== 0; stack = this.witness.stacks[stack].below) {
      frames.push({procedure, box: this.witness.stacks[stack].box, calledAt: call < 0 ? -1 : call - 1});
      procedure = this.owners.get(this.witness.stacks[stack].below) ?? "?";
      call = call < 0 ? -1 : this.callAround.get(call);
    }
    return [...frames, {procedure, box: "", calledAt: -1}];
  }

  /** Calls that return without a change of labels are folded at first, where a path is long; as in the text. */
  uneventful(shortest = 40) {
    const folded = new Set();
    if (this.steps.length < shortest) return folded;
    const labels = (i) => this.state(i).labels.join("\n");
    const changes = [0];
    for (let i = 1; i < this.steps.length; ++i) changes.push(changes[i - 1] + (labels(i) === labels(i - 1) ? 0 : 1));
    for (const [call, end] of this.callEnd) {
      const returns = end + 1 < this.steps.length;
      if (call > 0 && returns && changes[call - 1] === changes[end] && end - call + 1 >= 3) folded.add(call);
    }
    return folded;
  }

  /** The nearest step after `from` (before it, if `by` is -1) with a property; -1 if there is none. */
  find(from, by, has) {
    for (let i = from + by; i >= 0 && i < this.steps.length; i += by) {
      if (has(i)) return i;
    }
    return -1;
  }

  nextCall(from, by = 1) {
    return this.find(from, by, (i) => isCall(this.steps[i]));
  }

  /** Where the procedure of a step is left. */
  nextReturn(from) {
    const depth = this.depth(from);
    return this.find(from, 1, (i) => this.depth(i) < depth || (isReturn(this.steps[i]) && this.depth(i) === depth));
  }

  /** The next step that is no deeper: over a call. */
  over(from) {
    const depth = this.depth(from);
    return this.find(from, 1, (i) => this.depth(i) <= depth);
  }

  propositions() {
    return [...new Set(this.witness.states.flatMap((state) => state.labels))].sort();
  }
}
