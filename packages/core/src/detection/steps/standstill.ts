import { hashText } from '../../common/hash.ts';
import type { JsonValue } from '../../common/json.ts';
import { count, flag, list, number, type Of, record } from '../../state/codec.ts';
import { RecentMap, Saved, SavedGroup, type Stateful } from '../../state/stateful.ts';
import { HALF_STALE, MEMORY } from '../judgement.ts';
import type { LapStep, Laps } from './lap-step.ts';
import { takesItsTime } from './waiting.ts';

/** So many long messages are remembered. */
const MAX_SPEECHES = 30;
const MAX_AGENTS = 64;
/** So much news between two speeches, as of one step that is entirely new, and the second one is no repetition. */
const ENOUGH_NEWS = 1;

/** Calls of one agent that are the same, have the same outcome, and have no other one in between. */
const CALLS = record({
  key: number,
  since: number,
  latest: list(record({ index: count, freeAt: number, tookMs: number }), MEMORY),
});
type Calls = Of<typeof CALLS>;
/** Long messages: by whom, what and where. */
const SPEECHES = list(record({ agent: number, key: number, index: count }), MAX_SPEECHES);
type Speech = Of<typeof SPEECHES>[number];
/** How much news from others has followed the latest long message of an agent, in all and at most at once. */
interface Heard {
  readonly agent: number;
  news: number;
  most: number;
}
const HEARD = list(record<Heard>({ agent: number, news: number, most: number }), MAX_AGENTS);
const NOTHING_HEARD = { news: 0, most: 0 };

/** A step, and what it brought. */
interface Taken {
  readonly step: LapStep;
  /** From 0, nothing new, to 1, all that matters. */
  readonly news: number;
  /** Whether it is a long message, and no answer to code. */
  readonly isSpeech: boolean;
  /** Whether it asks for something in other words, unless its agent asks a model. */
  readonly isTask: boolean;
  /** Whether the team waits for something. */
  readonly isWaiting: boolean;
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
  readonly #speeches: Saved<Speech[]> = new Saved<Speech[]>(SPEECHES, () => []);
  readonly #heard: Saved<Heard[]> = new Saved<Heard[]>(HEARD, () => []);
  /** Those who ask a model. */
  readonly #models: RecentMap<number, boolean> = new RecentMap(MAX_AGENTS, number, flag);
  readonly #parts: SavedGroup = new SavedGroup({
    calls: this.#calls,
    speeches: this.#speeches,
    heard: this.#heard,
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
  take({ step, news, isSpeech, isTask, isWaiting }: Taken): Standstill | undefined {
    const agent = hashText(step.agent);
    this.#addNews(step.isAct ? undefined : agent, news);
    // While others get on, a call that comes again may look after them; each task may take the same call.
    const isNewTask = isTask && !this.#models.has(agent) && (!step.isMessage || this.#isModelSeen);
    if (isNewTask || (step.isAct && news > HALF_STALE)) this.#calls.clear();
    // Who waits may report so.
    if (isSpeech) return isWaiting ? undefined : this.#say(agent, step);
    return step.isAct ? { called: this.#call(agent, step) } : undefined;
  }

  /** Forgets what was done. */
  forgetSteps(): void {
    this.#calls.clear();
    this.#speeches.clear();
    this.#heard.clear();
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

  get #isModelSeen(): boolean {
    return this.#models.size > 0;
  }

  /** What a speaker brings is news to the others; what a call brings is news to its own agent, too, and enough if it is more than half new. */
  #addNews(speaker: number | undefined, news: number): void {
    if (news === 0) return;
    const isEnough = speaker === undefined && news > HALF_STALE;
    for (const heard of this.#heard.state) {
      if (heard.agent === speaker) continue;
      heard.news += isEnough ? ENOUGH_NEWS : news;
      heard.most = Math.max(heard.most, news);
    }
  }

  #say(agent: number, step: LapStep): Standstill | undefined {
    const isModel = this.#models.has(agent);
    const { news, most } = this.#listen(agent);
    // Whether others were only asked in other words is clear where it is a model that says the same again.
    const isAnswered = news >= ENOUGH_NEWS || (!isModel && most > HALF_STALE);
    const speeches = this.#speeches.state;
    if (isAnswered) forget(speeches, agent);
    if (speeches.push({ agent, key: step.key, index: step.index }) > MAX_SPEECHES) speeches.shift();
    const said = lapsOf(indicesOf(speeches, step.key), step);
    return said && { said, isPrompt: this.#isModelSeen && !isModel };
  }

  /** What an agent has heard since its latest long message; from now on, it hears anew. */
  #listen(agent: number): Pick<Heard, 'news' | 'most'> {
    const all = this.#heard.state;
    const heard = all.find((one) => one.agent === agent);
    if (heard === undefined) {
      if (all.push({ agent, news: 0, most: 0 }) > MAX_AGENTS) all.shift();
      return NOTHING_HEARD;
    }
    const { news, most } = heard;
    heard.news = 0;
    heard.most = 0;
    return { news, most };
  }

  #call(agent: number, step: LapStep): Laps | undefined {
    const before = this.#calls.get(agent);
    const isSame = before?.key === step.key;
    const { index, at, freeAt, tookMs } = step;
    const call = { index, freeAt, tookMs };
    const latest = isSame ? [...before.latest, call].slice(-MEMORY) : [call];
    const calls = { key: step.key, since: isSame ? before.since : at, latest };
    this.#calls.set(agent, calls);
    if (step.isBackingOff) return undefined;
    return lapsOf(this.#unwaited(step, calls), step);
  }

  /** The latest calls without those before a wait. */
  #unwaited(step: LapStep, { since, latest }: Calls): readonly number[] {
    const indices = latest.map(indexOf);
    const isOver = step.at - since >= this.#patienceMs && latest.length === MEMORY;
    if (!step.isPatient || isOver) return indices;
    let most = 1;
    let tookMs = 0;
    for (let calls = 1; calls < latest.length; calls++) {
      const from = latest.length - 1 - calls;
      tookMs += (latest[from + 1] as Calls['latest'][number]).tookMs;
      const spanMs = step.freeAt - (latest[from] as Calls['latest'][number]).freeAt;
      if (!takesItsTime({ spanMs, tookMs, calls, laps: calls })) most = calls + 1;
    }
    return indices.slice(-most);
  }
}

// In place, since nearly every message is an answer to the others.
function forget(speeches: Speech[], agent: number): void {
  let kept = 0;
  for (const one of speeches) if (one.agent !== agent) speeches[kept++] = one;
  speeches.length = kept;
}

// One loop, since it is run for nearly every message.
function indicesOf(speeches: readonly Speech[], wanted: number): readonly number[] {
  const indices: number[] = [];
  for (const { key, index } of speeches) if (key === wanted) indices.push(index);
  return indices;
}

function indexOf({ index }: { readonly index: number }): number {
  return index;
}

function lapsOf(indices: readonly number[], step: LapStep): Laps | undefined {
  if (indices.length < 2) return undefined;
  const steps = indices.map((index) => ({ ...step, index }));
  return { laps: indices.length, period: 1, steps, newsAt: indices[0] as number };
}
