import type { InputFunc } from './agents/user-input.ts';

/**
 * Delays questions to a person until the console has printed the messages before them.
 *
 * A team runs ahead of the printer of its stream; without the manager the prompt may come before its context.
 *
 * @example
 * ```ts
 * const manager = new UserInputManager(async (prompt) => `I was asked: ${prompt}`);
 * const user = new UserProxyAgent('user', { inputFunc: manager.inputFunc });
 * const team = new RoundRobinGroupChat([writer, user], { maxTurns: 2 });
 * await Console(team.runStream({ task: 'A haiku' }), { userInputManager: manager });
 * ```
 */
export class UserInputManager {
  readonly #seen = new Set<string>();
  readonly #waiting = new Map<string, () => void>();
  readonly #ask: InputFunc;

  constructor(ask: InputFunc) {
    this.#ask = ask;
  }

  /** The input function for the agent. It waits for the console before it asks. */
  readonly inputFunc: InputFunc = async (prompt, options) => {
    await this.#shown(options.requestId);
    return this.#ask(prompt, options);
  };

  /** Reports that the stream has reached the event of a request, so that its question may be asked. */
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
