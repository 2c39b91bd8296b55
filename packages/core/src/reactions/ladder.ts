import { BoundedMap } from '../common/bounded-map.ts';
import type { JsonValue } from '../common/json.ts';
import type { AnalyzedSignal } from '../detection/analyzed-signal.ts';
import { basisOf, type Finding, type Found } from '../detection/finding.ts';
import { type Codec, count, flag, list, number, record, recordAt, text } from '../state/codec.ts';

/** Some agents that were told of a finding. */
interface Told {
  readonly agents: string;
  readonly kind: string;
  /** What was counted when they were told, and what the latest finding counted. */
  readonly from: number;
  readonly count: number;
  /** Index of the signal of the latest finding. */
  readonly at: number;
  /** How many findings came after the team was told. */
  readonly found: number;
  /** Whether something new has come since the latest finding. */
  readonly isNewsSince: boolean;
}

const MAX_TOLD = 64;
/** So many laps may change nothing before the team is stopped. */
const LAPS_AFTER = 2;
/** So many findings for each step of a lap are enough, whatever was counted. */
const ENOUGH = 4;

const TOLD: Codec<readonly Told[]> = list(
  record<Told>({
    agents: text,
    kind: text,
    from: number,
    count: number,
    at: count,
    found: count,
    isNewsSince: flag,
  }),
  MAX_TOLD,
);

/**
 * Decides what follows from the findings about a conversation: its agents are told of the first, and stopped once two more laps have
 * changed nothing.
 */
export class Ladder {
  readonly #told: BoundedMap<string, Told> = new BoundedMap(MAX_TOLD);
  /** Whether anybody could have answered since the latest finding that counted. */
  #isAnswered = true;
  /** Whether model calls are reported, so that calls of one answer can be told from those of the next. */
  #hasModels = false;

  /** Notes the next signal. */
  saw({ signal: { kind }, staleness, isPerson }: AnalyzedSignal): void {
    if (isPerson) this.clear();
    else if (staleness === 0) this.#news();
    this.#hasModels ||= kind === 'model-request';
    if (kind !== 'tool-call' && kind !== 'usage') this.#isAnswered = true;
  }

  /** What a finding leads to. Counts it. */
  climb({ finding, index }: Found): 'none' | 'tell' | 'stop' {
    const agents = agentsOf(finding);
    const before = this.#told.get(agents);
    const { kind, evidence } = finding;
    const latest = { agents, kind, count: evidence.count, at: index, isNewsSince: false };
    if (before === undefined || isAnother(before, finding)) {
      this.#told.set(agents, { ...latest, from: evidence.count, found: 0 });
      this.#isAnswered = !this.#hasModels;
      return 'tell';
    }
    const found = this.#next(before, index);
    this.#told.set(agents, { ...latest, from: before.from, found });
    if (found > before.found) this.#isAnswered = !this.#hasModels;
    return isEnough(before, finding, found) ? 'stop' : 'none';
  }

  /** Whether a finding that a step would lead to stops the team. */
  wouldStop({ finding, index }: Found): boolean {
    const before = this.#told.get(agentsOf(finding));
    if (before === undefined || isAnother(before, finding)) return false;
    return isEnough(before, finding, this.#next(before, index));
  }

  clear(): void {
    this.#told.clear();
    this.#isAnswered = true;
  }

  snapshot(): JsonValue {
    const told = TOLD.write(this.#told.values());
    return { told, isAnswered: this.#isAnswered, hasModels: this.#hasModels };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, json: unknown): void {
    const state = recordAt(path, json);
    const told = TOLD.read(`${path}.told`, state.told);
    const isAnswered = flag.read(`${path}.isAnswered`, state.isAnswered);
    this.#hasModels = flag.read(`${path}.hasModels`, state.hasModels);
    this.clear();
    this.#isAnswered = isAnswered;
    for (const one of told) this.#told.set(one.agents, one);
  }

  #news(): void {
    for (const told of this.#told.values())
      this.#told.set(told.agents, { ...told, isNewsSince: true });
  }

  /** Calls that one answer asks for side by side could not heed what was said in between: they count once. */
  #next({ found, at }: Told, index: number): number {
    return index > at && this.#isAnswered ? found + 1 : found;
  }
}

/** Whom a finding is about. */
function agentsOf({ evidence }: Finding): string {
  return JSON.stringify([...evidence.agents].sort());
}

/** Whether it is another loop than the one that was told. */
function isAnother(told: Told, finding: Finding): boolean {
  if (!told.isNewsSince) return false;
  // What is certain counts on in spite of words in between.
  return basisOf(finding) !== 'certain' || isFewer(told, finding);
}

function isFewer({ kind, count }: Told, finding: Finding): boolean {
  return kind === finding.kind && finding.evidence.count < count;
}

/** Whether enough laps have changed nothing; `found` counts the findings in them. */
function isEnough({ from }: Told, finding: Finding, found: number): boolean {
  if (finding.level === 'warn') return false;
  const { period = 1, agents, count } = finding.evidence;
  const basis = basisOf(finding);
  if (basis === 'judged') return found > 0;
  if (basis === 'suspected') return found > LAPS_AFTER * Math.max(period, agents.length);
  // Remarks between the steps of a lap give findings, too; and a count may have reached its end.
  return found > LAPS_AFTER * period && (count - from > LAPS_AFTER || found > ENOUGH * period);
}
