import type { Signal } from '@teamfuse/core';
import type { FindingKind } from '@teamfuse/core/detectors';
import type { Watcher } from '../scores/watcher.ts';
import { type Call, callKey, isCall } from './call-key.ts';
import type { Peer } from './peer.ts';

/**
 * The loop detector of RunGuard with its default options: `windowSize: 32`, `minCycleLen: 1`, `maxCycleLen: 8`, `repeats: 3`.
 * It stops when the latest signatures are one cycle of one to eight calls three times over.
 *
 * A signature is what it advises: the tool and its arguments with sorted keys, and for a call that failed the status and the title
 * of the error. Here these are the code and message of `error`, and the exit code of a run. What a call gave is no part of it.
 * It sees the calls and runs of all agents in one row, and no messages. Fed with all that is said and with every result, it is
 * the simple rule of exact cycles.
 */
export const runGuard: Peer = {
  name: 'RunGuard',
  version: '@runguard/sdk, as documented on 2026-11-23',
  source: 'https://runguard.dev/seo/how-to-detect-llm-tool-call-loop-in-production.html',
  watch: () => new CycleWatcher(),
};

const LONGEST = 8;
const REPEATS = 3;

class CycleWatcher implements Watcher {
  /** The latest signatures. Three rounds of eight fit into the window of 32, so older ones decide nothing. */
  readonly #latest: string[] = [];
  /** For each period, how many signatures in a row are equal to the one a period before. */
  readonly #matches: number[] = new Array<number>(LONGEST + 1).fill(0);

  observe(signal: Signal): FindingKind | undefined {
    if (!isCall(signal)) return undefined;
    const signature = signatureOf(signal);
    let isCycle = false;
    for (let period = 1; period <= LONGEST; period++) {
      const isMatch = this.#latest.at(-period) === signature;
      const matches = isMatch ? (this.#matches[period] ?? 0) + 1 : 0;
      this.#matches[period] = matches;
      if (matches >= (REPEATS - 1) * period) isCycle = true;
    }
    this.#latest.push(signature);
    if (this.#latest.length > LONGEST) this.#latest.shift();
    return isCycle ? 'repetition' : undefined;
  }
}

function signatureOf(call: Call): string {
  if (call.kind === 'execution') return `${call.exitCode} ${callKey(call)}`;
  const { code = '', message } = call.error ?? {};
  return message === undefined ? callKey(call) : `${code} ${message} ${callKey(call)}`;
}
