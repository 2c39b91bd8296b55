import type { Finding } from '@teamfuse/core';
import type { AnalyzedSignal, Detector } from '@teamfuse/core/detectors';
import type { JsonValue } from '@teamfuse/core/kit';
import { describe, expect, it } from 'vitest';
import { type ContractViolationError, detectorContract, transcript } from '../../src/index.ts';
import { SoundDetector } from './broken-detector.ts';

let callsOfAll = 0;

class Random extends SoundDetector {
  override observe(step: AnalyzedSignal): Finding | undefined {
    return ++callsOfAll % 7 === 0 ? this.found(step) : super.observe(step);
  }
}

class Unresettable extends SoundDetector {
  override reset(): void {}
}

class Throwing extends SoundDetector {
  override observe(step: AnalyzedSignal): Finding | undefined {
    if (step.signal.kind === 'execution' && step.signal.exitCode === null)
      throw new Error('killed');
    return super.observe(step);
  }
}

class Marking extends SoundDetector {
  override observe(step: AnalyzedSignal): Finding | undefined {
    Object.assign(step.signal, { isSeen: true });
    return super.observe(step);
  }
}

class Sorting extends SoundDetector {
  override observe(step: AnalyzedSignal): Finding | undefined {
    if (step.signal.kind === 'selection') (step.signal.candidates as string[] | undefined)?.sort();
    return super.observe(step);
  }
}

class Hoarding extends SoundDetector {
  readonly #indices: number[] = [];

  override observe(step: AnalyzedSignal): Finding | undefined {
    this.#indices.push(step.index);
    return super.observe(step);
  }

  override snapshot(): JsonValue {
    return { count: this.count, indices: [...this.#indices] };
  }

  override restore(snapshot: JsonValue): void {
    super.restore(snapshot);
    this.#indices.splice(0, Infinity, ...(snapshot as { indices: number[] }).indices);
  }
}

class Bulky extends SoundDetector {
  override snapshot(): JsonValue {
    return { count: this.count, rest: ' '.repeat(300_000) };
  }
}

class Forgetful extends SoundDetector {
  override restore(): void {}
}

/** Hands its own state out instead of a copy. */
class Sharing extends SoundDetector {
  #state = { count: 0 };

  override observe(step: AnalyzedSignal): Finding | undefined {
    if (step.signal.kind !== 'message') return undefined;
    return ++this.#state.count % 3 === 0 ? this.found(step) : undefined;
  }

  override reset(): void {
    this.#state = { count: 0 };
  }

  override snapshot(): JsonValue {
    return this.#state;
  }

  override restore(snapshot: JsonValue): void {
    this.#state = { ...(snapshot as { count: number }) };
  }
}

class Rewriting extends SoundDetector {
  readonly #indices: number[] = [];

  override observe(step: AnalyzedSignal): Finding | undefined {
    const finding = super.observe(step);
    if (finding === undefined) return undefined;
    this.#indices.push(step.index);
    return { ...finding, evidence: { ...finding.evidence, indices: this.#indices } };
  }
}

class Pretending extends SoundDetector {
  override found(step: AnalyzedSignal): Finding {
    return { ...super.found(step), kind: 'repetition' };
  }
}

class Counting extends SoundDetector {
  override found(step: AnalyzedSignal): Finding {
    const finding = super.found(step);
    return { ...finding, evidence: { ...finding.evidence, count: Number.NaN } };
  }
}

class Reversing extends SoundDetector {
  override found(step: AnalyzedSignal): Finding {
    const finding = super.found(step);
    return { ...finding, evidence: { ...finding.evidence, indices: [step.index, step.index - 1] } };
  }
}

const BROKEN: readonly (readonly [string, string, () => Detector])[] = [
  ['DET1', 'goes by something besides its signals', () => new Random()],
  ['DET2', 'keeps something through a reset', () => new Unresettable()],
  ['DET3', 'throws', () => new Throwing()],
  ['DET4', 'writes into a signal', () => new Marking()],
  ['DET4', 'sorts a list of a signal', () => new Sorting()],
  ['DET5', 'remembers all', () => new Hoarding()],
  ['DET5', 'remembers too much', () => new Bulky()],
  ['DET6', 'restores nothing', () => new Forgetful()],
  ['DET7', 'changes what it has said', () => new Rewriting()],
  ['DET7', 'speaks for another kind', () => new Pretending()],
  ['DET7', 'counts no number', () => new Counting()],
  ['DET7', 'names signals in no order', () => new Reversing()],
];

function violationOf(check: () => void): ContractViolationError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error as ContractViolationError;
  }
}

describe('detectorContract', () => {
  it('[CON1] passes a detector that keeps the rules', () => {
    const checks = detectorContract(() => new SoundDetector());
    expect(checks.map(({ check }) => violationOf(check))).toEqual(checks.map(() => undefined));
  });

  it.each(BROKEN)('[CON2] sees %s broken by a detector that %s', (id, _, create) => {
    const check = detectorContract(create).find((one) => one.id === id)?.check;
    expect(check && violationOf(check)?.rule).toBe(id);
  });

  it('[CON3] copes with a snapshot that is the state itself, since a store makes a copy', () => {
    const check = detectorContract(() => new Sharing()).find(({ id }) => id === 'DET6')?.check;
    expect(check).not.toThrow();
  });

  it("[CON4] checks with a user's own signals as well, and leaves them alone", () => {
    const signals = transcript('A:"the secret word"');
    class Shy extends SoundDetector {
      override observe(step: AnalyzedSignal): Finding | undefined {
        if (step.signal.kind === 'message' && step.signal.text === 'the secret word')
          throw new Error();
        return super.observe(step);
      }
    }
    const [plain, own] = [{}, { signals }].map((options) =>
      detectorContract(() => new Shy(), options)
        .filter(({ id }) => id === 'DET3')
        .map(({ check }) => violationOf(check)?.rule),
    );
    expect([plain, own]).toEqual([[undefined], ['DET3']]);
    expect(Object.isFrozen(signals[0])).toBe(false);
  });
});
