import type { GuardableModel } from '../../packages/adapter-kit/src/language-models/index.ts';
import { news } from '../../packages/core/test/simulation/outside.ts';
import type { SeededRandom } from '../../packages/testing/src/seeded-random.ts';
import type { Machine } from '../leases/machine.ts';
import type { Receipts } from './receipts.ts';
import { RESERVATION_MS } from './server.ts';

export type SharedModel = GuardableModel;

/** A model that has failed, and has served nothing. */
export class BrokenModel extends Error {}

/** One model object for all users, who begin their prompts with their names. */
export function sharedModel(
  machine: Machine,
  random: SeededRandom,
  receipts: Receipts,
): GuardableModel {
  return {
    modelId: 'model',
    specificationVersion: 'v4',
    async doGenerate({ prompt }) {
      const [part] = (prompt.at(-1)?.content ?? []) as readonly { readonly text: string }[];
      const user = part?.text.split(':')[0] ?? '';
      // Some take longer than what they hold lasts without a heart-beat.
      const ms = random.oneIn(20) ? RESERVATION_MS + random.below(6_000) : random.below(300);
      await new Promise<void>((resolve) => machine.after(ms, resolve));
      if (random.oneIn(20)) throw new BrokenModel('the model is busy');
      const [input, output] = [1 + random.below(4), 1 + random.below(20)];
      receipts.serve(`user:${user}`, input + output);
      return {
        content: [{ type: 'text', text: news(random) }],
        finishReason: { unified: 'stop', raw: undefined },
        usage: { inputTokens: { total: input }, outputTokens: { total: output } },
        warnings: [],
      };
    },
    doStream: () => Promise.reject(new BrokenModel('it cannot stream')),
  };
}
