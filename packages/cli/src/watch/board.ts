import { type Breaker, type Conversation, explain, type Signal, type Trip } from '@teamfuse/core';
import { Analyzer } from '@teamfuse/core/detectors';
import { BoundedMap, type Disclosure } from '@teamfuse/core/kit';
import { cleanForTerminal } from '../output/clean.ts';
import { TitleReader, titleOf } from '../output/title.ts';
import { isTurn, type Spend, SpendCounter } from '../replay/spend.ts';
import { pursesOf, type ShownPurse } from './purses.ts';

/** A line of a conversation, as the page shows it. */
export interface ShownLine {
  readonly index: number;
  readonly agent: string;
  readonly kind: Signal['kind'];
  readonly text: string;
}

/** A conversation as the page shows it. Plain JSON data without secrets, of bounded size. */
export interface ShownConversation {
  /** Tells conversations apart, also where their names look the same. */
  readonly key: number;
  readonly id: string;
  /** What a person would call it; its id where nothing else is known. */
  readonly title: string;
  /** Its team by name, where a board has several. */
  readonly team?: string;
  /** Who spoke or acted last. */
  readonly speaker: string;
  /** Everybody who spoke or acted, the most recent ones first, and how often. */
  readonly agents: readonly (readonly [name: string, count: number])[];
  readonly suspicion: number;
  /** What the suspicion is of. */
  readonly suspected: string;
  readonly spent: Spend;
  /** What it may spend, and those who pay for it, where that is limited. */
  readonly purses: readonly ShownPurse[];
  readonly lines: readonly ShownLine[];
  readonly trip?: { readonly kind: string; readonly reason: string; readonly text: string };
}

/** All conversations so far, also those that are not shown any more. */
export interface ShownTotals {
  readonly total: number;
  readonly tripped: number;
  /** Whether the page may stop and resume conversations, and whether all are stopped. */
  readonly control?: { readonly isHalted: boolean };
}

/** Where a conversation belongs that is not over. */
export interface Place {
  readonly breaker: Breaker;
  readonly team: string | undefined;
  /** The conversation itself, as long as it is kept. */
  readonly live: () => Conversation | undefined;
}

const MAX_CONVERSATIONS = 50;
const MAX_AGENTS = 12;
const MAX_LINES = 12;
const MAX_TEXT = 300;
/** Of a longer text the rest is not even looked at. */
const MAX_READ = 4_000;
const MAX_NAME = 60;
const MAX_TITLE = 80;

/** What is shown of all conversations: the latest ones, and of each the latest lines. */
export class Board {
  readonly #conversations = new BoundedMap<string, Row>(MAX_CONVERSATIONS);
  readonly #changed = new Set<string>();
  /** Conversations so far, those included that are not shown any more. */
  total = 0;
  /** How many of them tripped, once or more often. */
  tripped = 0;
  /** What the page may do beside looking. */
  control: (() => NonNullable<ShownTotals['control']>) | undefined;

  /** @param disclosure what may be shown of it. */
  signal(id: string, signal: Signal, disclosure: Disclosure): void {
    this.#row(id).take(signal, disclosure);
  }

  /** Says where a conversation belongs that has just been heard of. */
  belongs(id: string, place: Place): void {
    const row = this.#row(id);
    row.place = place;
    // It may have begun while everything was stopped.
    const trip = row.isStopped ? undefined : place.live()?.trip;
    if (trip !== undefined) this.trip(id, trip);
  }

  /** The conversation that is shown under this key, if it is not over. */
  live(key: number): Conversation | undefined {
    const row = this.#conversations.values().find((one) => one.key === key);
    return row?.place?.live();
  }

  has(id: string): boolean {
    return this.#conversations.has(id);
  }

  trip(id: string, trip: Trip): void {
    const row = this.#row(id);
    const isFirst = !row.hasTripped;
    row.trip(trip);
    if (isFirst) this.tripped += 1;
  }

  /** The circuit of a conversation is closed again. */
  closed(id: string): void {
    if (this.has(id)) this.#row(id).closed();
  }

  /** What came of it all so far. */
  get totals(): ShownTotals {
    const { total, tripped } = this;
    const control = this.control?.();
    return { total, tripped, ...(control && { control }) };
  }

  /** All conversations, the one where something happened last at the end. */
  all(): ShownConversation[] {
    return this.#conversations.entries().map(([id, row]) => row.shown(id));
  }

  /** The conversations that have changed since this was last asked. */
  takeChanged(): ShownConversation[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed.flatMap((id) => this.#conversations.get(id)?.shown(id) ?? []);
  }

  #row(id: string): Row {
    const known = this.#conversations.get(id);
    if (known === undefined) this.total += 1;
    const row = known ?? new Row(this.total);
    const gone = this.#conversations.set(id, row);
    this.#changed.add(id);
    if (gone !== undefined) this.#changed.delete(gone[0]);
    return row;
  }
}

class Row {
  readonly key: number;
  readonly #analyzer = new Analyzer();
  readonly #agents = new Map<string, number>();
  readonly #spend = new SpendCounter();
  #title: TitleReader | undefined;
  #lines: readonly ShownLine[] = [];
  #speaker = '';
  #suspicion = 0;
  #suspected = '';
  #trip: ShownConversation['trip'];
  place: Place | undefined;
  hasTripped = false;

  constructor(key: number) {
    this.key = key;
  }

  take(signal: Signal, disclosure: Disclosure): void {
    const { index, suspicion } = this.#analyzer.observe(signal);
    this.#suspicion = suspicion.score;
    this.#suspected = suspicion.score > 0 ? suspicion.kind : '';
    this.#spend.add(signal);
    this.#title ??= new TitleReader(disclosure);
    this.#title.add(signal);
    if (!isTurn(signal) && signal.kind !== 'nested-start') return;
    const agent = nameOf(disclosure.redacted(signal.agent));
    const count = (this.#agents.get(agent) ?? 0) + 1;
    this.#agents.delete(agent);
    this.#agents.set(agent, count);
    const [quietest] = this.#agents.keys();
    if (this.#agents.size > MAX_AGENTS && quietest !== undefined) this.#agents.delete(quietest);
    this.#speaker = agent;
    const text = cleanForTerminal(disclosure.quote(signal, MAX_TEXT));
    this.#lines = [...this.#lines, { index, agent, kind: signal.kind, text }].slice(-MAX_LINES);
  }

  trip(trip: Trip): void {
    this.#trip = {
      kind: nameOf(trip.kind),
      reason: shortened(trip.reason, MAX_TEXT),
      // The columns of an explanation are set by spaces.
      text: explain(trip)
        .split('\n')
        .map((line) => cleanForTerminal(line).slice(0, MAX_TEXT))
        .join('\n'),
    };
    this.hasTripped = true;
  }

  closed(): void {
    this.#trip = undefined;
  }

  get isStopped(): boolean {
    return this.#trip !== undefined;
  }

  shown(id: string): ShownConversation {
    const { team, breaker } = this.place ?? {};
    const live = this.place?.live();
    return {
      key: this.key,
      id: nameOf(id),
      title: this.#title === undefined ? nameOf(id) : nameOf(titleOf(id, this.#title), MAX_TITLE),
      ...(team !== undefined && { team: nameOf(team) }),
      speaker: this.#speaker,
      agents: [...this.#agents].reverse(),
      suspicion: this.#suspicion,
      suspected: this.#suspected,
      spent: this.#spend.spend,
      purses: breaker && live ? pursesOf(breaker, live) : [],
      lines: this.#lines,
      ...(this.#trip && { trip: this.#trip }),
    };
  }
}

function shortened(text: string, length: number): string {
  const cleaned = cleanForTerminal(text.slice(0, MAX_READ));
  return cleaned.length > length ? `${cleaned.slice(0, length)}…` : cleaned;
}

/** The beginning and the end of a long name: those of one team often begin alike. */
function nameOf(name: string, length = MAX_NAME): string {
  const cleaned = cleanForTerminal(name.slice(0, MAX_READ));
  if (cleaned.length <= length) return cleaned;
  return `${cleaned.slice(0, length / 2)}…${cleaned.slice(1 - length / 2)}`;
}
