import type { Signal } from '@teamfuse/core';
import type { FindingKind } from '@teamfuse/core/detectors';
import type { Watcher } from '../scores/watcher.ts';
import { callKey, isCall } from './call-key.ts';
import type { Peer } from './peer.ts';
import { PerAgent } from './per-agent.ts';
import { plainText } from './plain-text.ts';
import { Streak } from './streak.ts';

/**
 * The loop detection of open-multi-agent, switched on with its defaults: three turns in a row (`maxRepetitions: 3`, in a window of
 * four) with the same tool and arguments, or with the same text but for spaces. At first it warns the model (`onLoopDetected:
 * 'warn'`), and ends the agent's run at the next such turn; a turn that is different makes it forget the warning. So the fourth
 * of a row is a stop here.
 *
 * Each agent has a detector of its own. A call or a run is a turn with that tool call, a message one with that text, and an empty
 * message is none; what came back does not matter.
 */
export const openMultiAgent: Peer = {
  name: 'open-multi-agent',
  version: 'ef3df47',
  source:
    'https://github.com/open-multi-agent/open-multi-agent/blob/ef3df47857dc047d8aa2970b7d68bd20dc0f2b13/docs/budgets-and-limits.md',
  watch: () => new PerAgent(() => new TurnWatcher()),
};

const WARNED = 3;

class TurnWatcher implements Watcher {
  readonly #calls: Streak = new Streak();
  readonly #texts: Streak = new Streak();

  observe(signal: Signal): FindingKind | undefined {
    return this.#repetitions(signal) > WARNED ? 'repetition' : undefined;
  }

  #repetitions(signal: Signal): number {
    if (isCall(signal)) return this.#calls.next(callKey(signal));
    const text = signal.kind === 'message' ? plainText(signal) : '';
    return text === '' ? 0 : this.#texts.next(text);
  }
}
