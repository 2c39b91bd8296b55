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

/** An answer of a model. */
export interface Verdict {
  readonly reason: string;
  readonly probability: number;
}

/**
 * Reads the answer of a model: one JSON object, possibly inside a code fence or with text around it.
 * @throws Error that quotes the beginning of any other answer.
 */
export function readVerdict(text: string): Verdict {
  const { reason, probability } = Object(objectIn(text));
  const isProbability = typeof probability === 'number' && probability >= 0 && probability <= 1;
  if (!isProbability) {
    const shown = JSON.stringify(redactSecrets(text.slice(0, READ_LENGTH)).slice(0, SHOWN_LENGTH));
    throw new Error(`the judge's answer: expected a probability from 0 to 1, received ${shown}`);
  }
  return {
    reason: typeof reason === 'string' ? reason.slice(0, REASON_LENGTH) : '',
    probability,
  };
}

function objectIn(text: string): unknown {
  const from = text.indexOf('{');
  const to = text.lastIndexOf('}');
  try {
    return JSON.parse(text.slice(from, to + 1));
  } catch {
    return undefined;
  }
}
