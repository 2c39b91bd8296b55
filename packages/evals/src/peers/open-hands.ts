import type { Signal } from '@teamfuse/core';
import type { FindingKind } from '@teamfuse/core/detectors';
import type { Watcher } from '../scores/watcher.ts';
import { callKey, isCall, resultKey } from './call-key.ts';
import type { Peer } from './peer.ts';

/**
 * The stuck detector of OpenHands with its default thresholds. It looks at the last 20 events since a person last spoke, and
 * stops
 *
 * - four equal actions with four equal observations,
 * - three equal actions that all ended in an error,
 * - three messages of the agent with nothing between them,
 * - two actions with their observations by turns, six steps long.
 *
 * | of OpenHands | here |
 * |---|---|
 * | action, observation | a call or run, and what came back: two events |
 * | error of the agent | `error` of a call; a command that exits with another code than 0 is an ordinary observation |
 * | message of the user | what a person said |
 * | message of the agent | a message; one by another agent ends a monologue, as an answer does |
 *
 * Its code compares the thought that came with an action, too, and would find less; the documentation does not say so. The fifth
 * pattern that it documents, context window errors in a row, never fires in this version, so it is left out.
 */
export const openHands: Peer = {
  name: 'OpenHands',
  version: 'software-agent-sdk 1c2e6b5',
  source: 'https://docs.openhands.dev/sdk/guides/agent-stuck-detector',
  watch: () => new StuckWatcher(),
};

const LATEST = 20;
const SAME_RESULT = 4;
const SAME_ERROR = 3;
const MONOLOGUE = 3;
const ALTERNATING = 6;

type Event =
  | { readonly kind: 'message'; readonly agent: string }
  | { readonly kind: 'action'; readonly key: string }
  | { readonly kind: 'observation'; readonly key: string; readonly isError: boolean };

class StuckWatcher implements Watcher {
  #events: Event[] = [];

  observe(signal: Signal): FindingKind | undefined {
    if (signal.kind === 'human-input' && signal.text !== undefined) this.#events = [];
    if (signal.kind === 'message') {
      this.#events.push({ kind: 'message', agent: signal.agent });
    } else if (isCall(signal)) {
      const isError = signal.kind === 'tool-call' && signal.error !== undefined;
      this.#events.push({ kind: 'action', key: `${signal.agent} ${callKey(signal)}` });
      this.#events.push({ kind: 'observation', key: resultKey(signal), isError });
    } else {
      return undefined;
    }
    this.#events = this.#events.slice(-LATEST);
    return this.#isStuck() ? 'repetition' : undefined;
  }

  #isStuck(): boolean {
    const actions = this.#events.filter((event) => event.kind === 'action');
    const observations = this.#events.filter((event) => event.kind === 'observation');
    const isSame = (count: number, step = 1): boolean => endsAlike(actions, count, step);
    if (isSame(SAME_RESULT) && endsAlike(observations, SAME_RESULT)) return true;
    const areErrors = observations.slice(-SAME_ERROR).every(({ isError }) => isError);
    if (isSame(SAME_ERROR) && areErrors) return true;
    if (isSame(ALTERNATING, 2) && endsAlike(observations, ALTERNATING, 2)) return true;
    return this.#isMonologue();
  }

  #isMonologue(): boolean {
    const latest = this.#events.slice(-MONOLOGUE);
    const [first] = latest;
    return (
      first?.kind === 'message' &&
      latest.length === MONOLOGUE &&
      latest.every((event) => event.kind === 'message' && event.agent === first.agent)
    );
  }
}

/** Whether each of the last `count` is equal to the one `step` before it, as far as that is one of them, too. */
function endsAlike(events: readonly { readonly key: string }[], count: number, step = 1): boolean {
  const latest = events.slice(-count);
  return (
    latest.length === count &&
    latest.every(({ key }, i) => i < step || key === latest[i - step]?.key)
  );
}
