import { type Difference, isError } from '../harness/difference.ts';
import { isObject, type Json } from '../harness/json.ts';
import type { Rule } from '../harness/rule.ts';
import type { AnyCase } from './vector.ts';

/** The places where the description of the vectors lets an implementation use words of its own. */
export const equivalences: readonly Rule<AnyCase>[] = [
  { name: 'built-in-prompt', kind: 'equivalent', explains: isBuiltInPrompt },
  { name: 'faulty-data', kind: 'equivalent', explains: isSameFault },
];

const PLACEHOLDER = /^<(?:default-system-message|default-selector-prompt|retry-prompt)>$/;

/** The vectors do not reproduce built-in prompts; a placeholder shows where one stands. */
function isBuiltInPrompt({ expected, got }: Difference): boolean {
  if (typeof expected !== 'string' || typeof got !== 'string') return false;
  return PLACEHOLDER.test(expected) && got.trim() !== '';
}

/** Of faulty data the places of the faults count; the messages and codes are information. */
function isSameFault({ expected, got }: Difference): boolean {
  if (!isError(expected) || !isError(got) || expected.type !== got.type) return false;
  if (expected.fields === undefined || got.fields === undefined) {
    return expected.message === got.message;
  }
  return JSON.stringify(places(expected.fields)) === JSON.stringify(places(got.fields));
}

function places(fields: Json): Json {
  if (!Array.isArray(fields)) return fields;
  return fields.map((field) => (isObject(field) ? (field.loc ?? null) : null));
}
