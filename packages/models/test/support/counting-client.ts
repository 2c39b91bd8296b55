import { setImmediate as turn } from 'node:timers/promises';
import type { CreateResult } from '../../src/index.ts';
import { ReplayChatCompletionClient } from '../../src/index.ts';

/** A model whose calls take 500 tokens each way, and that knows how many of them were made, and at once. */
export class CountingClient extends ReplayChatCompletionClient {
  made = 0;
  atOnce = 0;
  #running = 0;

  constructor(replies: number) {
    const usage = { promptTokens: 500, completionTokens: 500 };
    super(
      Array.from({ length: replies }, (_, i) => ({ content: `Chapter ${i}`, usage })),
      { model: 'deployment-3' },
    );
  }

  override async create(
    ...request: Parameters<ReplayChatCompletionClient['create']>
  ): Promise<CreateResult> {
    this.made++;
    this.atOnce = Math.max(this.atOnce, ++this.#running);
    await turn();
    this.#running--;
    return super.create(...request);
  }
}

/** A counter that cannot count, so that nobody knows how large a call is. */
export const NO_COUNTER = {
  countMessages: (): number => {
    throw new Error('not countable');
  },
};
