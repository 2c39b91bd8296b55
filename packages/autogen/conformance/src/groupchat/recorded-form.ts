import { isObject, type Json } from '../harness/json.ts';
import { withoutEmptyParts } from './play/final-state.ts';
import type { Played } from './play/play.ts';
import { errorTypes } from './script/raised-error.ts';
import type { ExpectedError, Vector } from './vector.ts';

/** What was recorded, in a form that leaves out what says nothing. */
export function recordedForm({ expect }: Vector): Json {
  const { trace = [], steps = [], state = {}, counts = {} } = expect;
  const { setup_error = null, trace_truncated: isTruncated } = expect;
  const seen = { setup_error, trace, steps, left_over: [] };
  return plain(isTruncated ? seen : withEnd(seen, state, counts));
}

/** What was seen when a case was played, in the same form. */
export function playedForm({ expect }: Vector, played: Played): Json {
  const { setupError, trace, state, counts, sourceProblems } = played;
  const steps = played.steps.map((step, at) => {
    if ('ok' in step) return step;
    const outcome = expect.steps?.[at];
    return { error: errorForm(step.thrown, outcome && 'error' in outcome ? outcome.error : null) };
  });
  const setup_error = setupError && {
    at: setupError.at,
    ...errorForm(setupError.error, expect.setup_error),
  };
  const seen = { setup_error, trace, steps, left_over: sourceProblems };
  const form = plain(expect.trace_truncated ? seen : withEnd(seen, state, counts));
  return withPlaceholders(form, played.workDirs);
}

function withEnd(seen: object, state: Json, counts: Json): object {
  return { ...seen, state: withoutEmptyParts(state), counts: withoutEmptyParts(counts) };
}

/** An error stands for several types of Python; the recorded one is named if it is among them. */
function errorForm(
  error: unknown,
  expected: ExpectedError | null,
): { type: string; message: string } {
  const types = errorTypes(error);
  const isExpected = expected !== null && types.includes(expected.type);
  const name = error instanceof Error ? error.name : typeof error;
  return {
    type: isExpected ? expected.type : (types[0] ?? name),
    message: error instanceof Error ? error.message : String(error),
  };
}

// The recorded library's message objects carry these keys also when there is nothing in them.
const optionalKeys: readonly string[] = [
  'function_call',
  'tool_calls',
  'refusal',
  'annotations',
  'audio',
];

function plain(value: unknown): Json {
  const text = JSON.stringify(value, (key, field) =>
    field === null && optionalKeys.includes(key) ? undefined : field,
  );
  return JSON.parse(text);
}

function withPlaceholders(value: Json, workDirs: readonly string[]): Json {
  if (typeof value === 'string') {
    return workDirs.reduce((text, dir) => text.replaceAll(dir, '<WORKDIR>'), value);
  }
  if (Array.isArray(value)) return value.map((item) => withPlaceholders(item, workDirs));
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, field]) => [key, withPlaceholders(field, workDirs)]),
  );
}
