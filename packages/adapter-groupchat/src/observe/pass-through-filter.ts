import type { ViewedMessage } from '../context/agent-view.ts';
import { asksForCalls, contentText } from './message-text.ts';

/** The work of an agent that its next message may pass on. */
interface Outcome {
  readonly hasCalled?: boolean;
  readonly hasRun?: boolean;
  readonly typed?: string;
  /** The outcome of nested chats. */
  readonly summary?: string | undefined;
}

/** The beginning of messages in which agents pass on the output of code. */
const RUN_REPORT = 'exitcode: ';

/**
 * Finds messages that only repeat what is already reported: results of calls and code, a person's input, outcomes of nested chats,
 * and the call a model asks for.
 *
 * If they were reported as messages too, healthy polling would look like a loop.
 */
export class PassThroughFilter {
  readonly #outcomes: WeakMap<object, Outcome> = new WeakMap();

  /** Notes work of an agent that was reported. */
  note(agent: object, outcome: Outcome): void {
    this.#outcomes.set(agent, { ...this.#outcomes.get(agent), ...outcome });
  }

  /** Whether the agent's message repeats what was reported before, or will be. */
  has(agent: object, message: ViewedMessage): boolean {
    const { hasCalled, hasRun, typed, summary } = this.#outcomes.get(agent) ?? {};
    this.#outcomes.delete(agent);
    const text = contentText(message.content);
    if (asksForCalls(message) && text === '') return true;
    if (hasCalled && (message.tool_responses?.length || message.role === 'function')) return true;
    return (hasRun && text.startsWith(RUN_REPORT)) || text === typed || text === summary;
  }
}
