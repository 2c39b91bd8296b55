import type { InputFunc } from './agents/user-input.ts';

/**
 * Makes questions to a person wait until the console has shown what led to them.
 *
 * A team runs ahead of whoever prints its stream; without the manager the prompt may come before the messages it is about.
 *
 * @example
 * ```ts
 * const manager = new UserInputManager(readLine);
 * const user = new UserProxyAgent('user', { inputFunc: manager.inputFunc });
 * await Console(new RoundRobinGroupChat([writer, user]).runStream({ task }), { userInputManager: manager });
 * ```
 */
export class UserInputManager {
  readonly #seen = new Set<string>();
  readonly #waiting = new Map<string, () => void>();
  readonly #ask: InputFunc;

  constructor(ask: InputFunc) {
    this.#ask = ask;
  }

  /** To be given to the agent in the place of the function that asks. */
  readonly inputFunc: InputFunc = async (prompt, options) => {
    await this.#shown(options.requestId);
    return this.#ask(prompt, options);
  };

  /** Tells that the event of a request has been reached in the stream. */
  notifyEventReceived(requestId: string): void {
    const go = this.#waiting.get(requestId);
    this.#waiting.delete(requestId);
    if (go === undefined) this.#seen.add(requestId);
    else go();
  }

  async #shown(requestId: string): Promise<void> {
    if (this.#seen.delete(requestId)) return;
    await new Promise<void>((go) => this.#waiting.set(requestId, go));
  }
}
