import type { Signal } from '@teamfuse/core';
import type { FindingKind } from '@teamfuse/core/detectors';
import type { Watcher } from '../scores/watcher.ts';
import { callKey, isCall } from './call-key.ts';
import type { Peer } from './peer.ts';
import { PerAgent } from './per-agent.ts';
import { Streak } from './streak.ts';

/**
 * The two limits of Cline. It warns the model at the third call in a row of one tool with the same parameters, and asks the person
 * at the fifth: only that is a stop here. It also asks after three mistakes in a row (`maxConsecutiveMistakes`, 3 by default).
 *
 * Each agent is a task of its own. A call or a run is a tool call; what came back does not matter. A mistake is a call with an
 * `error`; any other call ends the row, and so does a run: a command that fails is none to Cline. An answer without a tool call
 * is a mistake there, too. That is a protocol of its prompts which other teams do not follow, so it is left out.
 */
export const cline: Peer = {
  name: 'Cline',
  version: '3.76.0',
  source: 'https://github.com/cline/cline/pull/9933',
  watch: () => new PerAgent(() => new TaskWatcher()),
};

const SAME_CALLS = 5;
const MISTAKES = 3;

class TaskWatcher implements Watcher {
  readonly #calls: Streak = new Streak();
  #mistakes = 0;

  observe(signal: Signal): FindingKind | undefined {
    if (!isCall(signal)) return undefined;
    const isMistake = signal.kind === 'tool-call' && signal.error !== undefined;
    this.#mistakes = isMistake ? this.#mistakes + 1 : 0;
    const count = this.#calls.next(callKey(signal));
    return count >= SAME_CALLS || this.#mistakes >= MISTAKES ? 'repetition' : undefined;
  }
}
