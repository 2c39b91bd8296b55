import { taskIn } from '@teamfuse/adapter-kit';
import type { Context, PromptMessage } from '@teamfuse/adapter-kit/language-models';
import type { Conversation } from '@teamfuse/core';
import { hashText } from '@teamfuse/core/detectors';

/** A prompt that only counts on asks for nothing else. */
const NUMBERS = /\d+/g;

/** What a prompt ended with, without its numbers. */
interface Told {
  readonly length: number;
  readonly hash: number;
}

/** Reports what models are asked that no agent asks. */
export class ToldPrompts {
  readonly #latest: WeakMap<Conversation, Told> = new WeakMap();

  /** Reports what a prompt ends with, if that is from outside: a task, or a message where it goes on after an answer. */
  tell(context: Context, prompt: readonly PromptMessage[]): void {
    const { conversation } = context.scope?.run ?? context;
    const text = taskIn(prompt) ?? '';
    if (text === '') return;
    const said = text.replace(NUMBERS, '0');
    const before = this.#latest.get(conversation);
    this.#latest.set(conversation, { length: said.length, hash: hashText(said) });
    // A prompt that grows tells again what it told before.
    if (before !== undefined && hashText(said.slice(0, before.length)) === before.hash) return;
    if (!prompt.some(({ role }) => role === 'assistant')) context.reportTask(text);
    else context.observe({ kind: 'message', ...context.originOf('user'), role: 'user', text });
  }
}
