import { type AdmissionRequest, isRefusedCall, outcomeOf } from '../../signal/request.ts';
import type { Signal, SignalKind } from '../../signal/signal.ts';
import type { Full, Gate, UnderWay } from '../detector.ts';

/** The steps of one kind that are under way. */
interface Line {
  held: number;
  /** How many were observed and not yet released. */
  observed: number;
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
    const places = linesOf(kind, request).map((name) => {
      const line = this.#lines.get(name) ?? { held: 0, observed: 0 };
      this.#lines.set(name, line);
      line.held++;
      return [name, line] as const;
    });
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      for (const [name, line] of places) {
        // Its own signal, or that of another step in the line, has given the place back.
        if (line.observed > 0) line.observed--;
        else this.#leave(name, line);
      }
    };
  }

  /** A step has taken place: it is counted by its signal from now on. One that was refused had no place. */
  tookPlace(signal: Signal): void {
    if (this.#lines.size === 0) return;
    if (isRefusedCall(signal)) return;
    for (const name of linesOf(signal.kind, signal)) {
      const line = this.#lines.get(name);
      if (line === undefined) continue;
      line.observed++;
      this.#leave(name, line);
    }
  }

  held(kinds: readonly SignalKind[], { depth }: AdmissionRequest): number {
    return kinds.reduce((sum, kind) => sum + (this.#lines.get(lineOf(kind, depth))?.held ?? 0), 0);
  }

  heldOfTool(request: AdmissionRequest): number {
    const [, ofTool = ''] = linesOf(request.kind, request);
    return this.#lines.get(ofTool)?.held ?? 0;
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

/** Where a step stands; a call also in the line of its tool. */
function linesOf(kind: string, step: Signal | AdmissionRequest): readonly string[] {
  const line = lineOf(kind, step.depth);
  return step.kind === 'tool-call' ? [line, `${line} ${step.tool}`] : [line];
}

/** Turns stand in a line for each depth: the turn that a nested chat is in must not hold up those inside. */
function lineOf(kind: string, depth = 0): string {
  return kind === 'message' ? `${kind} ${depth}` : kind;
}
