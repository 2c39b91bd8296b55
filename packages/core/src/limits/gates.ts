import type { Finding } from '../finding.ts';
import type { AdmissionRequest } from '../signal/request.ts';
import type { Signal, SignalKind } from '../signal/signal.ts';

/** A detector that counts steps when they are admitted. */
export interface Gate {
  /** The kinds of signals that it counts. */
  readonly counted: readonly SignalKind[];
  /** The finding that refuses a step, as no more are allowed than have taken place and are under way. */
  full(request: AdmissionRequest, underWay: UnderWay): Full | undefined;
}

/** Why no step is admitted. */
export interface Full {
  readonly finding: Finding;
  /** How many of the steps that count are still under way. */
  readonly underWay: number;
}

/** Steps that are admitted and have not ended. */
export interface UnderWay {
  /** How many will give signals of these kinds; turns only at the depth of the request. */
  held(kinds: readonly SignalKind[], request: AdmissionRequest): number;
}

/** The steps of one kind that are under way. */
interface Line {
  held: number;
  /** How many were observed and not yet released. */
  settled: number;
}

/**
 * Asks all gates of a conversation, and holds a place for each step that is admitted until it is observed or released: whichever
 * comes first.
 */
export class Gates implements UnderWay {
  readonly #gates: readonly Gate[];
  readonly #counted: ReadonlySet<SignalKind>;
  readonly #lines: Map<string, Line> = new Map();

  constructor(gates: readonly Gate[]) {
    this.#gates = gates;
    this.#counted = new Set(gates.flatMap(({ counted }) => counted));
  }

  /** Why a step is not admitted. */
  full(request: AdmissionRequest): Full | undefined {
    for (const gate of this.#gates) {
      const full = gate.full(request, this);
      if (full !== undefined) return full;
    }
    return undefined;
  }

  /** Takes a place for a step if any gate counts it. The function that is returned gives it back; idempotent. */
  enter(request: AdmissionRequest): (() => void) | undefined {
    const kind = outcomeOf(request);
    if (kind === undefined || !this.#counted.has(kind)) return undefined;
    const name = lineOf(kind, request.depth);
    const line = this.#lines.get(name) ?? { held: 0, settled: 0 };
    this.#lines.set(name, line);
    line.held++;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      // Its own signal, or that of another step in the line, has given the place back.
      if (line.settled > 0) line.settled--;
      else this.#leave(name, line);
    };
  }

  /** A step has taken place: it is counted by its signal from now on. */
  settle({ kind, depth }: Signal): void {
    if (this.#lines.size === 0) return;
    const name = lineOf(kind, depth);
    const line = this.#lines.get(name);
    if (line === undefined) return;
    line.settled++;
    this.#leave(name, line);
  }

  held(kinds: readonly SignalKind[], { depth }: AdmissionRequest): number {
    if (this.#lines.size === 0) return 0;
    return kinds.reduce((sum, kind) => sum + (this.#lines.get(lineOf(kind, depth))?.held ?? 0), 0);
  }

  /** Forgets all places: the counts begin anew. */
  clear(): void {
    this.#lines.clear();
  }

  #leave(name: string, line: Line): void {
    line.held--;
    if (line.held === 0 && this.#lines.get(name) === line) this.#lines.delete(name);
  }
}

/** The kind of signal that a step gives when it has ended; of hand-offs and nested chats, the request is the signal. */
export function outcomeOf({ kind }: AdmissionRequest): SignalKind | undefined {
  switch (kind) {
    case 'turn':
      return 'message';
    case 'model-request':
      return 'usage';
    case 'tool-call':
    case 'execution':
      return kind;
    default:
      return undefined;
  }
}

/** Turns stand in a line for each depth: the turn that a nested chat is in must not hold up those inside. */
function lineOf(kind: SignalKind, depth = 0): string {
  return kind === 'message' ? `${kind} ${depth}` : kind;
}
