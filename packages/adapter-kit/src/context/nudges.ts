import type { Finding, Trip } from '@teamfuse/core';
import { atOnce, BoundedMap, type NoticeCause } from '@teamfuse/core/kit';

/** The author of a warning, in every framework. */
export const NUDGE_AUTHOR = 'teamfuse';

/** As many as a breaker keeps. */
const MAX_CONVERSATIONS = 1000;
/** A team that is not at work takes none, and has one for each loop of all other teams that use its conversation. */
const MAX_PENDING = 16;

/** Words what the team is told of a finding, or is given as the result of a call that was refused. */
export type Wording = (finding: Finding, cause: NoticeCause) => string;

/** Warnings that have not been handed to the teams yet, by the id of their conversation. */
export class Nudges {
  readonly #wording: Wording;
  readonly #pending: BoundedMap<string, readonly string[]> = new BoundedMap(MAX_CONVERSATIONS);

  constructor(wording: Wording) {
    this.#wording = wording;
  }

  /** Keeps a warning for the next agent of the conversation that asks its model. */
  add(conversation: string, finding: Finding): void {
    const texts = [...this.pending(conversation), this.#textOf(finding, 'told')];
    this.#pending.set(conversation, texts.slice(-MAX_PENDING));
  }

  /** The result of a call that was refused by itself. */
  refusal(trip: Trip): string {
    return this.#textOf(findingOf(trip), 'refused');
  }

  /** What the model is told that gives the last answer after a stop. */
  lastWords(trip: Trip): string {
    return this.#textOf(findingOf(trip), 'stopped');
  }

  /** The pending warnings of a conversation. */
  pending(conversation: string): readonly string[] {
    return this.#pending.get(conversation) ?? [];
  }

  /** Drops warnings that were handed over; later ones stay. */
  drop(conversation: string, texts: readonly string[]): void {
    const left = this.pending(conversation).filter((text) => !texts.includes(text));
    if (left.length > 0) this.#pending.set(conversation, left);
    else this.#pending.delete(conversation);
  }

  /** All pending warnings of a conversation as one text. Each is returned once. */
  take(conversation: string): string | undefined {
    const texts = this.#pending.get(conversation);
    this.#pending.delete(conversation);
    return texts?.join('\n');
  }

  #textOf(finding: Finding, cause: NoticeCause): string {
    return atOnce('nudge', this.#wording(finding, cause));
  }
}

function findingOf({ kind, basis, reason, evidence }: Trip): Finding {
  return { level: 'trip', kind, basis, reason, evidence };
}
