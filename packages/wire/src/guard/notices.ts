import type { Breaker, Finding } from '@teamfuse/core';
import { atOnce, BoundedMap, type NoticeCause, withoutLaps } from '@teamfuse/core/kit';
import { type Fields, listOf } from '../fields.ts';
import type { WireFormat } from '../formats/format.ts';
import { valueAt, withEntry, withField } from '../json-field.ts';

/** Words what the model is told of a finding. */
export type Wording = (finding: Finding, cause: NoticeCause) => string;

/** The author of what a guard says. */
export const NOTICE_AUTHOR = 'teamfuse';

const MAX_CONVERSATIONS = 1_000;
const MAX_PENDING = 16;

/** What the breaker has found, until a request of the conversation can tell its model. */
export class Notices {
  readonly #wording: Wording;
  readonly #onError: (error: unknown) => void;
  readonly #pending = new BoundedMap<string, readonly string[]>(MAX_CONVERSATIONS);

  constructor(breaker: Breaker, wording: Wording, onError: (error: unknown) => void) {
    this.#wording = wording;
    this.#onError = onError;
    // A breaker outlives its guards, and must not keep them.
    const own = new WeakRef(this);
    const unsubscribe = breaker.on('finding', ({ conversation, finding, effect }) => {
      const notices = own.deref();
      if (notices === undefined) unsubscribe();
      else if (effect === 'warn') notices.#add(conversation, finding);
    });
  }

  /** What the conversation is told with its next request. Returned once. */
  take(conversation: string): string | undefined {
    const texts = this.#pending.get(conversation);
    this.#pending.delete(conversation);
    return texts?.join('\n');
  }

  #add(conversation: string, finding: Finding): void {
    try {
      const text = atOnce('nudge', this.#wording(finding, 'told'));
      const before = this.#pending.get(conversation) ?? [];
      this.#pending.set(conversation, [...before, text].slice(-MAX_PENDING));
    } catch (error) {
      this.#onError(error);
    }
  }
}

/** Whether a message may follow the history of a request: one that an answer is to continue has to stay the last. */
export function mayTell(format: WireFormat, body: Fields): boolean {
  const history = valueAt(body, format.historyAt(body));
  if (typeof history === 'string') return true;
  const last = listOf(history).at(-1);
  return last !== undefined && format.isForModel(last);
}

/** The text of a request without the messages that repeat the lap before to the letter. */
export function cut({ historyAt }: WireFormat, body: Fields, text: string): string {
  const field = historyAt(body);
  const messages = valueAt(body, field);
  if (!Array.isArray(messages)) return text;
  const kept = withoutLaps<unknown>(messages);
  return kept === messages ? text : withField(text, field, JSON.stringify(kept));
}

/** The text of a request whose history ends with what the guard says. */
export function withNotice(
  { historyAt, userSays }: WireFormat,
  body: Fields,
  text: string,
  notice: string,
): string {
  const field = historyAt(body);
  const message = userSays(`${NOTICE_AUTHOR}: ${notice}`);
  const history = valueAt(body, field);
  if (Array.isArray(history)) return withEntry(text, field, JSON.stringify(message)) ?? text;
  const before = typeof history === 'string' ? userSays(history) : history;
  return withField(text, field, JSON.stringify([before, message]));
}
