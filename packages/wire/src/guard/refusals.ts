import type { Conversation, Trip } from '@teamfuse/core';
import type { Fields } from '../fields.ts';
import type { WireFormat, WireRequest } from '../formats/format.ts';
import { asksForForm } from './answer-form.ts';
import { type RefusalForm, refuse, whyOf } from './refusal.ts';

/** Whoever asks on after so many answers does not understand them. */
const MAX_ANSWERS = 10;

/** Refuses calls: with an answer, if that is what was chosen, as long as an answer is of use. */
export class Refusals {
  readonly #form: RefusalForm;
  /** How many answers each conversation got since its last call. */
  readonly #answers: WeakMap<Conversation, number> = new WeakMap();

  constructor(form: RefusalForm) {
    this.#form = form;
  }

  /** Whether the latest call of the conversation was refused. */
  isRefused(conversation: Conversation): boolean {
    return this.#answers.has(conversation);
  }

  /** A call of the conversation was let through. */
  admitted(conversation: Conversation): void {
    this.#answers.delete(conversation);
  }

  of(trip: Trip, conversation: Conversation, { format, request, beside }: Refused): Response {
    const answers = this.#answers.get(conversation) ?? 0;
    this.#answers.set(conversation, answers + 1);
    const isOfUse = answers < MAX_ANSWERS && !asksForForm(beside);
    const refusal = isOfUse ? this.#form.refusal : 'error';
    return refuse(format, request, whyOf(trip, conversation), { ...this.#form, refusal });
  }
}

/** A call that is refused. */
export interface Refused {
  readonly format: WireFormat;
  readonly request: WireRequest;
  readonly body: Fields;
  /** What the body asks for beside its history. */
  readonly beside: Fields;
}
