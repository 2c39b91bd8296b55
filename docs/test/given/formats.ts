import { readFileSync } from 'node:fs';
import { FORMATS, type Format } from '@teamfuse/cli';
import type { FormatSamples } from '@teamfuse/cli/testing';

/** A format, and what is recorded in it. */
const FIXTURES = new URL('../../../packages/cli/test/fixtures/', import.meta.url);
const isTurns = ({ id }: Format): boolean => id === 'turns';

export const format: Format = FORMATS.find(isTurns) as Format;
export const samples: FormatSamples = {
  sample: readFileSync(new URL('turns.jsonl', FIXTURES)),
  broken: readFileSync(new URL('turns.broken.jsonl', FIXTURES)),
  brokenLines: [2, 3],
};
