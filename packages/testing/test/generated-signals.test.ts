import { parseSignal } from '@teamfuse/core/kit';
import { describe, expect, it } from 'vitest';
import { createDetectors } from '../../core/src/detection/detectors/default-detectors.ts';
import { generateSignals, timeline } from '../src/index.ts';

const SEEDS = [1, 2, 3, 4, 5];

describe('generateSignals', () => {
  it('[GEN1] gives the same for the same seed, and something else for another', () => {
    expect(generateSignals(7, 100)).toEqual(generateSignals(7, 100));
    expect(generateSignals(8, 100)).not.toEqual(generateSignals(7, 100));
  });

  it('[GEN2] gives so many signals, all valid', () => {
    for (const seed of SEEDS) {
      const signals = generateSignals(seed, 333);
      expect(signals).toHaveLength(333);
      for (const signal of signals) expect(() => parseSignal(signal)).not.toThrow();
    }
  });

  it('[GEN3] gives signals of all kinds, which fit through JSON', () => {
    const signals = generateSignals(1, 1000);
    expect(new Set(signals.map(({ kind }) => kind)).size).toBe(11);
    expect(JSON.parse(JSON.stringify(signals))).toEqual(signals);
  });

  it.each(SEEDS)('[GEN4] has loops in it for every detector, seed %i', (seed) => {
    const signals = generateSignals(seed, 1000);
    const silent = createDetectors({}).filter((one) => !timeline(one, signals).includes('T'));
    expect(silent.map(({ kind }) => kind)).toEqual([]);
  });
});
