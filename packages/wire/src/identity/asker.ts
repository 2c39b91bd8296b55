import type { History } from './history.ts';
import { latestOwn } from './history.ts';
import type { HistoryNodes } from './history-nodes.ts';
import type { Prompt } from './prompt.ts';
import type { Thread } from './thread.ts';

/** The agent that sends a history, as each conversation knows it. */
export class Asker {
  readonly #nodes: HistoryNodes;
  readonly #history: History;
  readonly #prompt: Prompt;
  /** Its name, if the caller gives one. */
  readonly #named: string | undefined;
  readonly #own: number;
  readonly #known = new Map<Thread, string>();

  constructor(nodes: HistoryNodes, history: History, prompt: Prompt, named: string | undefined) {
    this.#nodes = nodes;
    this.#history = history;
    this.#prompt = prompt;
    this.#named = named;
    this.#own = latestOwn(history.items);
  }

  /** The agent that it is in a conversation. */
  in(thread: Thread): string {
    const known = this.#known.get(thread);
    if (known !== undefined) return known;
    const agent = this.after(thread, this.#authorIn(thread));
    this.#known.set(thread, agent);
    return agent;
  }

  /** The agent that it is if `author` wrote its latest words. */
  after(thread: Thread, author: string | undefined): string {
    return this.#named ?? thread.agents.who(this.#prompt, author);
  }

  /** The agent that it is, as `in()` says, which the conversation knows from now on; `author` wrote its latest words. */
  asks(thread: Thread, author: string | undefined = this.#authorIn(thread)): string {
    if (this.#named !== undefined) return this.#named;
    const agent = thread.agents.asks(this.#prompt, author);
    // An agent waits for its answer: what asks for something else meanwhile is another one, such as a helper beside it.
    const isOther = author === undefined && thread.isAsking(agent) && !this.#asksIn(thread, agent);
    return isOther ? thread.agents.joins(this.#prompt) : agent;
  }

  /** Whether it has much the same system prompt as an agent of a conversation. */
  isLike(thread: Thread, agent: string): boolean {
    const isOne = this.#named === undefined && !this.#prompt.isCorrection;
    return isOne && thread.agents.isLike(this.#prompt, agent);
  }

  /** Whether the agent waits for an answer to this very history. */
  #asksIn(thread: Thread, agent: string): boolean {
    const end = this.#history.chains.at(-1) ?? this.#history.start;
    return this.#nodes.at(end).get(thread)?.asked.get(agent) === 'pending';
  }

  #authorIn(thread: Thread): string | undefined {
    const chain = this.#history.chains[this.#own];
    return chain && this.#nodes.at(chain).get(thread)?.author;
  }
}
