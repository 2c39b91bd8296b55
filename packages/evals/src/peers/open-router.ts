import type { Signal } from '@teamfuse/core';
import type { FindingKind } from '@teamfuse/core/detectors';
import type { MessageSignal } from '@teamfuse/core/kit';
import type { Watcher } from '../scores/watcher.ts';
import { callKey, isCall } from './call-key.ts';
import type { Peer } from './peer.ts';
import { PerAgent } from './per-agent.ts';
import { plainText } from './plain-text.ts';
import { Streak } from './streak.ts';
import { tailRepeats } from './tail-repeats.ts';

const VERSION = '@openrouter/agent 0.11.0';
const SOURCE = 'https://openrouter.ai/docs/agent-sdk/call-model/doom-loop-detection';
const BLOCK = 3;
const STOP = 6;

/**
 * The doom-loop detection of OpenRouter's agent SDK, switched on with its default ladder: observe at 2, block at 3, stop at 6. This
 * one stops where it first refuses something: at the third call of a tool with the same arguments.
 *
 * It counts
 *
 * - rounds in which a tool is called with the same arguments, whatever other tools are called between: here calls and runs of an
 *   agent, each a round of its own,
 * - equal answers of the model in a row, spaces aside: here messages of an agent; empty ones do not matter,
 * - how often a block of up to 16 words repeats at the end of an answer, if it does so four times and over twelve words.
 *
 * Text that has been said cannot be blocked, so that it stops the run at 6 in both forms.
 */
export const openRouterBlock: Peer = {
  name: 'OpenRouter, block',
  version: VERSION,
  source: SOURCE,
  watch: () => new PerAgent(() => new LadderWatcher(BLOCK)),
};

/** As {@link openRouterBlock}, but it stops where the SDK ends the run: at six of anything. */
export const openRouterStop: Peer = {
  name: 'OpenRouter, stop',
  version: VERSION,
  source: SOURCE,
  watch: () => new PerAgent(() => new LadderWatcher(STOP)),
};

class LadderWatcher implements Watcher {
  readonly #callLimit: number;
  readonly #tools: Map<string, Streak> = new Map();
  readonly #texts: Streak = new Streak();

  constructor(callLimit: number) {
    this.#callLimit = callLimit;
  }

  observe(signal: Signal): FindingKind | undefined {
    if (signal.kind === 'message') return this.#hear(signal) ? 'repetition' : undefined;
    if (!isCall(signal)) return undefined;
    const tool = signal.kind === 'tool-call' ? signal.tool : signal.language;
    const streak = this.#tools.get(tool) ?? new Streak();
    this.#tools.set(tool, streak);
    return streak.next(callKey(signal)) >= this.#callLimit ? 'repetition' : undefined;
  }

  #hear(message: MessageSignal): boolean {
    const text = plainText(message);
    return text !== '' && (this.#texts.next(text) >= STOP || tailRepeats(text) >= STOP);
  }
}
