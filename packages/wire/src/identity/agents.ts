import { BoundedMap } from '@teamfuse/core/kit';
import { commonPart, type Prompt } from './prompt.ts';

/** An agent that is known by its prompts. */
interface Agent {
  readonly key: string;
  /** Its latest prompt, and the words in it. */
  prompt: string;
  words: readonly number[];
  /** How many of the latest calls of its line had a prompt that was never seen before. */
  newPrompts: number;
}

/** The part of their words that the prompts of one agent have in common, and those of agents made from one template. */
const THE_SAME = 0.75;
const MUCH_THE_SAME = 0.5;
const MAX_KEPT = 256;
const MAX_AGENTS = 64;
/** So many calls in a line, each with a prompt of its own, are no agents that hand over. */
const MAX_NEW_PROMPTS = 3;

/**
 * The agents of a conversation that have no names. An agent is known by its system prompt; one whose prompt changes from call to
 * call, as with a clock or notes in it, by the words in its history that are its own.
 */
export class Agents {
  readonly #byPrompt = new BoundedMap<string, Agent>(MAX_KEPT);
  readonly #byKey = new BoundedMap<string, Agent>(MAX_AGENTS);
  #joined = 0;

  /** The agent with this prompt, which goes on after words of the agent `own`. */
  who(prompt: Prompt, own: string | undefined): string {
    return this.#known(prompt, own)?.key ?? prompt.key;
  }

  /** One more agent with this prompt, as another one of them is under way elsewhere. */
  joins(prompt: Prompt): string {
    this.#joined++;
    const key = `${prompt.key} ${this.#joined}`;
    this.#byKey.set(key, { key, prompt: prompt.key, words: prompt.words, newPrompts: 0 });
    return key;
  }

  /** The same, for an agent that asks. */
  asks(prompt: Prompt, own: string | undefined): string {
    const seen = this.#seen(prompt, own);
    if (seen !== undefined) {
      seen.newPrompts = 0;
      return seen.key;
    }
    const { words } = prompt;
    const newPrompts = (this.#agent(own)?.newPrompts ?? 0) + 1;
    const { key } = prompt;
    const agent = this.#known(prompt, own) ?? { key, prompt: key, words, newPrompts };
    Object.assign(agent, { prompt: key, words, newPrompts });
    this.#byPrompt.set(key, agent);
    this.#byKey.set(agent.key, agent);
    return agent.key;
  }

  /** Whether an agent has much the same prompt, as those that serve different users. */
  isLike(prompt: Prompt, key: string): boolean {
    return commonPart(this.#agent(key)?.words ?? [], prompt.words) >= MUCH_THE_SAME;
  }

  #known(prompt: Prompt, own: string | undefined): Agent | undefined {
    const seen = this.#seen(prompt, own);
    const before = this.#agent(own);
    if (seen !== undefined || before === undefined) return seen;
    const isSame =
      before.newPrompts >= MAX_NEW_PROMPTS || commonPart(before.words, prompt.words) >= THE_SAME;
    return isSame ? before : undefined;
  }

  /** The agent that had this prompt before: that of the latest own words, else the first one. */
  #seen(prompt: Prompt, own: string | undefined): Agent | undefined {
    const before = this.#agent(own);
    return before?.prompt === prompt.key ? before : this.#byPrompt.get(prompt.key);
  }

  #agent(key: string | undefined): Agent | undefined {
    return key === undefined ? undefined : this.#byKey.get(key);
  }
}
