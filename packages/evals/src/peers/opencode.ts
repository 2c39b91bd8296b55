import type { Signal } from '@teamfuse/core';
import type { FindingKind } from '@teamfuse/core/detectors';
import type { Watcher } from '../scores/watcher.ts';
import { type Call, isCall } from './call-key.ts';
import type { Peer } from './peer.ts';
import { PerAgent } from './per-agent.ts';
import { Streak } from './streak.ts';

/**
 * The permission `doom_loop` of opencode, which asks the person by default: the same tool is called three times in a row with
 * identical input.
 *
 * Each agent is a session of its own. A call or a run is a tool call; what came back does not matter. Input is compared as JSON as it
 * came, so that other key order makes it another input. Its code looks within one answer of the model only, and so finds less
 * than is documented; here what is said between the calls does not matter.
 */
export const opencode: Peer = {
  name: 'opencode',
  version: '1.1.1',
  source: 'https://opencode.ai/docs/permissions',
  watch: () => new PerAgent(() => new DoomLoopWatcher()),
};

const SAME_CALLS = 3;

class DoomLoopWatcher implements Watcher {
  readonly #calls: Streak = new Streak();

  observe(signal: Signal): FindingKind | undefined {
    if (!isCall(signal)) return undefined;
    return this.#calls.next(inputOf(signal)) >= SAME_CALLS ? 'repetition' : undefined;
  }
}

function inputOf(call: Call): string {
  return call.kind === 'tool-call'
    ? JSON.stringify([call.tool, call.args])
    : JSON.stringify([call.language, call.code]);
}
