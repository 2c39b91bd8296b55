import { taskIn } from '@teamfuse/adapter-kit';
import type { Context, PromptMessage } from '@teamfuse/adapter-kit/language-models';
import type { Conversation } from '@teamfuse/core';
import { hashText } from '@teamfuse/core/detectors';

/** A prompt that only counts on asks for nothing else. */
const NUMBERS = /\d+/g;

/** What the latest prompt ended with, without its numbers. */
interface LatestPrompt {
  readonly length: number;
  readonly hash: number;
}

/** Reports what code asks a model by itself, without an agent. */
export class PromptReporter {
  readonly #latest: WeakMap<Conversation, LatestPrompt> = new WeakMap();

  /** Reports what a prompt ends with, if that is from outside: a task, or a message where it goes on after an answer. */
  report(context: Context, prompt: readonly PromptMessage[]): void {
    const { conversation } = context.scope?.run ?? context;
    const text = taskIn(prompt) ?? '';
    if (text === '') return;
    const unnumbered = text.replace(NUMBERS, '0');
    const before = this.#latest.get(conversation);
    this.#latest.set(conversation, { length: unnumbered.length, hash: hashText(unnumbered) });
    // A prompt that grows begins with what was reported before.
    const beginning = unnumbered.slice(0, before?.length);
    if (before !== undefined && hashText(beginning) === before.hash) return;
    if (!prompt.some(({ role }) => role === 'assistant')) context.reportTask(text);
    else context.observe({ kind: 'message', ...context.originOf('user'), role: 'user', text });
  }
}
