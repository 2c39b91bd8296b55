import type { JsonValue } from '@teamfuse/core/kit';
import { describe, expect, it } from 'vitest';
import { analyzerContract } from '../../src/index.ts';
import { soundChecks } from './sound-analyzer.ts';

let calls = 0;

const LOOP_KEYS: readonly (readonly [string, string, (args: JsonValue) => JsonValue])[] = [
  ['ANA1', 'goes by what came before', () => ++calls % 5],
  [
    'ANA3',
    'throws',
    (args) => {
      throw new TypeError(`no page in ${typeof args}`);
    },
  ],
  ['ANA4', 'writes into the arguments', (args) => Object.assign(Object(args), { page: 0 })],
];

describe('analyzerContract', () => {
  it('[CON5] passes an analyzer with sound declarations', () => {
    // What needs thousands of signals is in the slow tests.
    for (const { id, check } of soundChecks()) if (id !== 'ANA5') expect(check).not.toThrow();
  });

  it.each(LOOP_KEYS)('[CON6] sees %s broken by a loop key that %s', (id, _, loopKey) => {
    const checks = analyzerContract({ tools: { search: { loopKey } } });
    expect(() => checks.find((one) => one.id === id)?.check()).toThrow(id);
  });
});
