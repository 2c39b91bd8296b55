import type { Signal } from '@teamfuse/core';
import type { FindingKind } from '@teamfuse/core/detectors';
import type { Watcher } from '../scores/watcher.ts';
import { callKey, isCall } from './call-key.ts';
import type { Peer } from './peer.ts';
import { PerAgent } from './per-agent.ts';
import { Streak } from './streak.ts';

/**
 * The tool repetition detector of Roo Code with its default limit of 3: it lets a call be repeated twice, and asks the person instead
 * of running it a fourth time in a row with the same parameters, whatever their order.
 *
 * Each agent is a task of its own. A call or a run is a tool call; what came back does not matter, nor what is said in between.
 * Scrolling in its own browser tool, which it does not count, has no counterpart here.
 */
export const rooCode: Peer = {
  name: 'Roo Code',
  version: '3747946',
  source:
    'https://github.com/RooCodeInc/Roo-Code/blob/37479466bc615057ee1865c395d00a3b5e0569a2/src/core/tools/ToolRepetitionDetector.ts',
  watch: () => new PerAgent(() => new RepeatWatcher()),
};

const REPEATS = 3;

class RepeatWatcher implements Watcher {
  readonly #calls: Streak = new Streak();

  observe(signal: Signal): FindingKind | undefined {
    if (!isCall(signal)) return undefined;
    return this.#calls.next(callKey(signal)) > REPEATS ? 'repetition' : undefined;
  }
}
