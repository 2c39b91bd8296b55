import type { ViewedMessage } from './agent-view.ts';
import { asksForCalls, contentText } from './message-text.ts';

/** What an agent has done in its turn that its message is about to pass on. */
interface Outcome {
  hasCalled: boolean;
  hasRun: boolean;
  typed: string | undefined;
}

/** How messages begin in which agents pass on what a program printed. */
const RUN_REPORT = 'exitcode: ';

/**
 * Tells messages that only pass on what has been told already: the results of calls and programs, the words of a
 * person, and the call a model asks for.
 *
 * Told twice, healthy work looks like a loop: a poll, its call and its result would be the same thing three times.
 */
export class Relays {
  readonly #outcomes = new WeakMap<object, Outcome>();

  /** A tool was called, and the call told. */
  called(agent: object): void {
    this.#of(agent).hasCalled = true;
  }

  /** A program was run, and the run told. */
  ran(agent: object): void {
    this.#of(agent).hasRun = true;
  }

  /** A person typed something for the agent, and that was told. */
  typed(agent: object, input: string): void {
    this.#of(agent).typed = input;
  }

  /** Whether what an agent says now has been told before, or will be when it is done. */
  has(agent: object, message: ViewedMessage): boolean {
    const { hasCalled, hasRun, typed } = this.#of(agent);
    this.#outcomes.delete(agent);
    const text = contentText(message.content);
    if (asksForCalls(message) && text === '') return true;
    if (hasCalled && (message.tool_responses?.length || message.role === 'function')) return true;
    return (hasRun && text.startsWith(RUN_REPORT)) || (typed !== undefined && text === typed);
  }

  #of(agent: object): Outcome {
    const known = this.#outcomes.get(agent);
    if (known) return known;
    const begun: Outcome = { hasCalled: false, hasRun: false, typed: undefined };
    this.#outcomes.set(agent, begun);
    return begun;
  }
}
