import { hashText } from '../hash.ts';
import type { JsonValue } from '../json.ts';
import { HALF_STALE, MEMORY } from '../judgement.ts';
import { count, flag, list, number, type Of, record } from '../state/codec.ts';
import { Kept, Parts, type Stateful } from '../state/stateful.ts';
import type { LapStep, Laps } from './laps.ts';
import { RecentMap } from './recent-map.ts';
import { takesItsTime } from './waiting.ts';

/** So many long messages are remembered. */
const MAX_SPEECHES = 30;
const MAX_AGENTS = 64;
/** So much news between two speeches, as of one step that is entirely new, and the second one is no repetition. */
const ENOUGH_NEWS = 1;

/** Calls of one agent that are the same, have the same outcome, and have no other one in between. */
const CALLS = record({ key: number, since: number, tookMs: number, indices: list(count, MEMORY) });
type Calls = Of<typeof CALLS>;
/** Long messages: by whom, what and where, and how much news from others followed until its next one, in all and at most at once. */
const SPEECHES = list(
  record({ agent: number, key: number, index: count, news: number, most: number }),
  MAX_SPEECHES,
);
type Speech = Of<typeof SPEECHES>[number];

/** A step, and what it brought. */
interface Taken {
  readonly step: LapStep;
  readonly staleness: number;
  /** Whether it is a long message, and no answer to code. */
  readonly isSpeech: boolean;
}

/** How often one agent has done the same, as laps of one step. */
export interface Standstill {
  /** Long messages, while nobody else brought much news. */
  readonly said?: Laps | undefined;
  /** Whether they are prompts: others ask models, and their agent does not. */
  readonly isPrompt?: boolean;
  /** Calls in a row, whatever was said in between, while no other call brought anything new. */
  readonly called?: Laps | undefined;
}

/** Follows each agent by itself: one may stand still while others use new words. */
export class Standstills implements Stateful {
  readonly #calls: RecentMap<number, Calls> = new RecentMap(MAX_AGENTS, number, CALLS);
  readonly #speeches: Kept<Speech[]> = new Kept<Speech[]>(SPEECHES, () => []);
  /** Those who ask a model. */
  readonly #models: RecentMap<number, boolean> = new RecentMap(MAX_AGENTS, number, flag);
  readonly #parts: Parts = new Parts({
    calls: this.#calls,
    speeches: this.#speeches,
    models: this.#models,
  });
  readonly #patienceMs: number;

  /** Who waits for something may do so for `patienceMs`. */
  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  /** Notes that an agent has asked a model. */
  addModel(agent: string): void {
    this.#models.set(hashText(agent), true);
  }

  /** Notes the next step; how long its agent has stood still, if it has. */
  take({ step, staleness, isSpeech }: Taken): Standstill | undefined {
    const agent = hashText(step.agent);
    this.#addNews(step.isAct ? undefined : agent, 1 - staleness);
    // While others get on, a call that comes again may look after them.
    if (step.isAct && staleness < HALF_STALE) this.#calls.clear();
    if (isSpeech) return this.#say(agent, step);
    return step.isAct ? { called: this.#call(agent, step) } : undefined;
  }

  /** Forgets what was done. */
  settle(): void {
    this.#calls.clear();
    this.#speeches.clear();
  }

  clear(): void {
    this.#parts.clear();
  }

  snapshot(): JsonValue {
    return this.#parts.snapshot();
  }

  restore(path: string, json: unknown): void {
    this.#parts.restore(path, json);
  }

  /** Adds news to the latest speech of each other agent; those of a call count for its own agent, too. */
  #addNews(speaker: number | undefined, news: number): void {
    const speeches = this.#speeches.state;
    if (speeches.length === 0 || news === 0) return;
    const told = new Set([speaker]);
    for (const [i, speech] of [...speeches.entries()].reverse()) {
      if (told.has(speech.agent)) continue;
      told.add(speech.agent);
      speeches[i] = {
        ...speech,
        news: speech.news + news,
        most: Math.max(speech.most, news),
      };
    }
  }

  #say(agent: number, step: LapStep): Standstill {
    const speeches = this.#speeches.state;
    const own = speeches.filter((one) => one.agent === agent);
    const isModel = this.#models.has(agent);
    const { news = 0, most = 0 } = own.at(-1) ?? {};
    // Whether others were only asked in other words is clear where it is a model that says the same again.
    const isAnswered = news >= ENOUGH_NEWS || (!isModel && most > HALF_STALE);
    const kept = isAnswered ? speeches.filter((one) => one.agent !== agent) : speeches;
    const latest = { agent, key: step.key, index: step.index, news: 0, most: 0 };
    this.#speeches.state = [...kept, latest].slice(-MAX_SPEECHES);
    const same = this.#speeches.state.filter((one) => one.agent === agent && one.key === step.key);
    const indices = same.map(({ index }) => index);
    return { said: lapsOf(indices, step), isPrompt: this.#models.size > 0 && !isModel };
  }

  #call(agent: number, step: LapStep): Laps | undefined {
    const before = this.#calls.get(agent);
    const isSame = before?.key === step.key;
    const calls = {
      key: step.key,
      since: isSame ? before.since : step.at,
      tookMs: isSame ? before.tookMs + step.tookMs : 0,
      indices: isSame ? [...before.indices, step.index].slice(-MEMORY) : [step.index],
    };
    this.#calls.set(agent, calls);
    return this.#isWaiting(step, calls) ? undefined : lapsOf(calls.indices, step);
  }

  #isWaiting(step: LapStep, { since, tookMs, indices }: Calls): boolean {
    const spanMs = step.at - since;
    if (spanMs >= this.#patienceMs && indices.length === MEMORY) return false;
    const again = indices.length - 1;
    const isSlow = again > 0 && takesItsTime({ spanMs, tookMs, calls: again, laps: again });
    return step.isBackingOff || (step.isPatient && isSlow);
  }
}

function lapsOf(indices: readonly number[], step: LapStep): Laps | undefined {
  if (indices.length < 2) return undefined;
  const steps = indices.map((index) => ({ ...step, index }));
  return { laps: indices.length, period: 1, steps, newsAt: indices[0] as number };
}
