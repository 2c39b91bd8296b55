import { Analyzer } from '../../src/analysis/analyzer.ts';
import type { Deed, Said, Step } from '../../src/analysis/step.ts';
import { transcript } from '../../src/testing/index.ts';
import { message } from './signals.ts';

/** What is special to a message that nothing is special about, but for `fields`. */
export function said(fields: Partial<Said> = {}): Said {
  return {
    isVariant: false,
    isEcho: false,
    isOutcome: false,
    isExtended: false,
    code: 'none',
    resemblance: 0,
    revisits: [],
    reopenings: [],
    recurrences: undefined,
    newWords: 0,
    newFigures: 0,
    figures: 0,
    chants: 0,
    ...fields,
  };
}

export function deed(fields: Partial<Deed> = {}): Deed {
  return { type: 'said', key: 1, subject: '', repeats: 0, ...fields };
}

/** A message that brings nothing, but for `fields`. */
export function step(fields: Partial<Step> = {}): Step {
  return {
    index: 0,
    signal: message('a', 'text'),
    deed: deed(),
    said: said(),
    idleness: 1,
    isProgress: false,
    isPerson: false,
    isAfterWait: false,
    idleTurns: 0,
    idleSince: 0,
    tokens: 100,
    ...fields,
  };
}

/** What the last message of a transcript is found to be. */
export function lastSaid(text: string): Said {
  const analyzer = new Analyzer();
  const steps = transcript(text).map((signal) => analyzer.observe(signal));
  return steps.at(-1)?.said as Said;
}
