import type { Breaker, Finding } from '@teamfuse/core';
import { atOnce, BoundedMap, type NoticeCause, withoutLaps } from '@teamfuse/core/kit';
import { type Fields, fieldsOf, recordsOf } from '../fields.ts';
import type { WireFormat } from '../formats/format.ts';
import { withEntry, withField } from '../json-field.ts';

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
  /** The conversations that were found to go in circles. */
  readonly #looping = new BoundedMap<string, true>(MAX_CONVERSATIONS);

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

  /** Whether a conversation was told that it goes in circles. */
  isLooping(conversation: string): boolean {
    return this.#looping.has(conversation);
  }

  #add(conversation: string, finding: Finding): void {
    if (finding.basis !== 'declared') this.#looping.set(conversation, true);
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
export function mayTell({ id }: Pick<WireFormat, 'id'>, body: Fields): boolean {
  if (id === 'responses' && typeof body.input === 'string') return true;
  const last = recordsOf(id === 'responses' ? body.input : body.messages).at(-1);
  if (last === undefined) return false;
  const { role, type } = fieldsOf(last);
  return role === 'user' || role === 'tool' || role === 'function' || isOutput(type);
}

/** The text of a request without the messages that repeat the lap before to the letter. */
export function cut({ id }: Pick<WireFormat, 'id'>, body: Fields, text: string): string {
  const field = id === 'responses' ? 'input' : 'messages';
  const messages = body[field];
  if (!Array.isArray(messages)) return text;
  const kept = withoutLaps<unknown>(messages);
  return kept === messages ? text : withField(text, field, JSON.stringify(kept));
}

/** The text of a request whose history ends with what the guard says. */
export function withNotice(
  { id }: Pick<WireFormat, 'id'>,
  body: Fields,
  text: string,
  notice: string,
): string {
  const message = { role: 'user', content: `${NOTICE_AUTHOR}: ${notice}` };
  const field = id === 'responses' ? 'input' : 'messages';
  if (typeof body[field] === 'string') {
    const before = { role: 'user', content: body[field] };
    return withField(text, field, JSON.stringify([before, message]));
  }
  return withEntry(text, field, JSON.stringify(message)) ?? text;
}

function isOutput(type: unknown): boolean {
  return typeof type === 'string' && type.endsWith('_output');
}
