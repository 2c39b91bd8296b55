import type { FindingKind } from '@teamfuse/core/detectors';
import Table from 'cli-table3';
import type { Replayed } from '../replay/replay.ts';
import { bySpend, type Spend } from '../replay/spend.ts';
import { counted, moneyText, spendText, tokenCount } from './amounts.ts';
import { cleanForTerminal } from './clean.ts';

/** Files without recordings that are named. */
const MAX_NAMED = 5;
const NONE: Spend = { turns: 0, tokens: 0, usd: null, unpricedTokens: 0, isEstimate: false };

/** What came of all conversations. */
export interface Figures {
  readonly conversations: number;
  readonly tripped: number;
  readonly spent: Spend;
  /** By the conversations that tripped. */
  readonly spentByTripped: Spend;
  readonly saved: Spend;
  /** The costliest first. */
  readonly kinds: readonly {
    readonly kind: FindingKind;
    readonly conversations: number;
    readonly saved: Spend;
  }[];
}

/** How many conversations tripped, in words. */
export function outcomeOf({ conversations, tripped }: Figures): string {
  if (conversations === 0) return 'no conversations were found';
  const some = tripped === 0 ? 'none' : tripped.toLocaleString('en');
  return `${some} of ${conversations.toLocaleString('en')} conversations tripped`;
}

/** Adds up what a replay found. */
export class Summary {
  readonly #byKind = new Map<FindingKind, { conversations: number; saved: Spend }>();
  #conversations = 0;
  #spent = NONE;
  #spentByTripped = NONE;
  #saved = NONE;
  #unpriced = 0;
  #estimated = 0;
  /** Whether an estimate has no price. */
  #isMoneyMissing = false;
  broken = 0;
  failed = 0;
  readonly #skipped: string[] = [];
  #allSkipped = 0;

  /** Counts a file that holds no recordings. */
  skip(source: string): void {
    this.#allSkipped += 1;
    if (this.#skipped.length < MAX_NAMED) this.#skipped.push(cleanForTerminal(source));
  }

  add({ trips, spent, saved }: Replayed): void {
    this.#conversations += 1;
    this.#spent = plus(this.#spent, spent);
    this.#saved = plus(this.#saved, saved);
    if (spent.unpricedTokens > 0) this.#unpriced += 1;
    if (spent.isEstimate) this.#estimated += 1;
    this.#isMoneyMissing ||= spent.isEstimate && spent.usd === null;
    const [trip] = trips;
    if (trip === undefined) return;
    this.#spentByTripped = plus(this.#spentByTripped, spent);
    const { conversations, saved: before } = this.#byKind.get(trip.kind) ?? {
      conversations: 0,
      saved: NONE,
    };
    this.#byKind.set(trip.kind, {
      conversations: conversations + 1,
      saved: plus(before, saved),
    });
  }

  get conversations(): number {
    return this.#conversations;
  }

  get figures(): Figures {
    const kinds = [...this.#byKind]
      .map(([kind, one]) => ({ kind, ...one }))
      .sort((a, b) => bySpend(a.saved, b.saved) || a.kind.localeCompare(b.kind));
    return {
      conversations: this.#conversations,
      tripped: kinds.reduce((sum, { conversations }) => sum + conversations, 0),
      spent: this.#spent,
      spentByTripped: this.#spentByTripped,
      saved: this.#saved,
      kinds,
    };
  }

  /** What could not be read, in words; empty if everything was. */
  get problems(): string {
    return [
      ...(this.broken > 0 ? [`${wereOf(this.broken, 'line')} broken`] : []),
      ...(this.failed > 0 ? [`${counted(this.failed, 'file')} could not be read`] : []),
    ].join('; ');
  }

  /** Which files held nothing that is known, in words; empty if all did. */
  get nothingIn(): string {
    if (this.#allSkipped === 0) return '';
    const held = this.#allSkipped === 1 ? 'file holds' : 'files hold';
    const more = this.#allSkipped - this.#skipped.length;
    const names = [...this.#skipped, ...(more > 0 ? [`${more.toLocaleString('en')} more`] : [])];
    return `${this.#allSkipped.toLocaleString('en')} ${held} no recordings: ${names.join(', ')}`;
  }

  /** In how many conversations money is unknown, in words; empty if it is known in all. */
  get unpriced(): string {
    if (this.#unpriced === 0) return '';
    const have = this.#unpriced === 1 ? 'conversation has' : 'conversations have';
    return `${this.#unpriced.toLocaleString('en')} ${have} calls of unknown price, which budgets in dollars ignore (name the model with --model where a recording does not)`;
  }

  /** In how many conversations spend is estimated, in words; empty if it is recorded in all. */
  get estimated(): string {
    if (this.#estimated === 0) return '';
    const hint = this.#isMoneyMissing ? ' (--model adds the money)' : '';
    const where = counted(this.#estimated, 'conversation');
    return `no usage is recorded in ${where}, so it is estimated from what was said${hint}`;
  }

  /** Whether a conversation tripped by one of these kinds; any if missing. */
  hasTripped(kinds?: readonly FindingKind[]): boolean {
    return [...this.#byKind.keys()].some((kind) => kinds?.includes(kind) ?? true);
  }

  /** The figures as a table and a sentence. `isPartial` if not everything was read. */
  text(isPartial: boolean): string {
    const { figures } = this;
    const { conversations, tripped, kinds, spent, saved } = figures;
    const sentence = [
      ...(tripped === 0 ? [] : [`would have saved ${spendText(saved)}`]),
      outcomeOf(figures),
      ...(conversations === 0 ? [] : [`spent ${spendText(spent)}`]),
      ...(this.unpriced === '' ? [] : [this.unpriced]),
      ...(this.estimated === '' ? [] : [this.estimated]),
      ...(this.problems === '' ? [] : [this.problems]),
      ...(this.nothingIn === '' ? [] : [this.nothingIn]),
      ...(isPartial ? ['interrupted: these are partial results'] : []),
    ].join('; ');
    return kinds.length > 0 ? `${kindTable(kinds)}\n${sentence}` : sentence;
  }
}

/** What each kind would have saved, in no more columns than a narrow terminal has. */
function kindTable(kinds: Figures['kinds']): string {
  const table = new Table({
    head: ['kind', 'stopped', 'would have saved', 'tokens', 'turns'],
    colAligns: ['left', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [] },
  });
  for (const { kind, conversations, saved } of kinds) {
    const { tokens, usd, turns } = saved;
    table.push([
      kind,
      conversations.toLocaleString('en'),
      usd === null ? (tokens > 0 ? 'price unknown' : '–') : moneyText(saved),
      tokens === 0 ? '–' : tokenCount(saved),
      turns.toLocaleString('en'),
    ]);
  }
  return table.toString();
}

function wereOf(count: number, thing: string): string {
  return `${counted(count, thing)} ${count === 1 ? 'was' : 'were'}`;
}

function plus(a: Spend, b: Spend): Spend {
  return {
    turns: a.turns + b.turns,
    tokens: a.tokens + b.tokens,
    usd: a.usd === null && b.usd === null ? null : (a.usd ?? 0) + (b.usd ?? 0),
    unpricedTokens: a.unpricedTokens + b.unpricedTokens,
    isEstimate: a.isEstimate || b.isEstimate,
  };
}
