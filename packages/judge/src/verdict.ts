import { redactSecrets } from '@teamfuse/core';

/** The form of an answer, as JSON schema. */
export const VERDICT_SCHEMA: Readonly<Record<string, unknown>> = {
  type: 'object',
  properties: {
    reason: { type: 'string' },
    probability: { type: 'number', minimum: 0, maximum: 1 },
  },
  required: ['reason', 'probability'],
  additionalProperties: false,
};

const SHOWN_LENGTH = 80;
/** A secret must not stay because its end was cut off. */
const READ_LENGTH = 1000;
const REASON_LENGTH = 300;
/** Braces that a reason may have in it. */
const MAX_TRIES = 100;

/** An answer of a model. */
export interface Verdict {
  readonly reason: string;
  readonly probability: number;
}

/**
 * Reads the answer of a model: one JSON object, possibly inside a code fence or with text around it.
 * @throws Error that quotes the beginning of any other answer.
 */
export function readVerdict(answer: unknown): Verdict {
  const text = typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? '');
  const { reason, probability } = Object(verdictIn(text));
  if (!isProbability(probability)) {
    const shown = JSON.stringify(redactSecrets(text.slice(0, READ_LENGTH)).slice(0, SHOWN_LENGTH));
    throw new Error(`the judge's answer: expected a probability from 0 to 1, received ${shown}`);
  }
  return {
    reason: typeof reason === 'string' ? reason.slice(0, REASON_LENGTH) : '',
    probability,
  };
}

function isProbability(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** The last object in a text that has a probability: a model may think aloud before it, in braces too. */
function verdictIn(text: string): unknown {
  const to = text.lastIndexOf('}') + 1;
  for (let from = to, tries = 0; from > 0 && tries < MAX_TRIES; tries++) {
    from = text.lastIndexOf('{', from - 1);
    if (from < 0) return undefined;
    try {
      const value = JSON.parse(text.slice(from, to));
      if (isProbability(Object(value).probability)) return value;
    } catch {
      // The object begins before this brace.
    }
  }
  return undefined;
}
