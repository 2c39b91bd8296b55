import type { JsonValue } from '@teamfuse/agentchat';

type Maybe = JsonValue | undefined;

/** A place where a played case differs from the recorded one. */
export interface Difference {
  /** Such as `.expected[0].stop.content`. */
  readonly path: string;
  readonly expected: Maybe;
  readonly got: Maybe;
}

/** All places where a played case differs from the recorded one. */
export function differences(expected: Maybe, got: Maybe, path = ''): readonly Difference[] {
  if (isError(expected) && isError(got)) return errorDifferences(expected, got, path);
  if (Array.isArray(expected) && Array.isArray(got)) {
    const length = Math.max(expected.length, got.length);
    return Array.from({ length }, (_, at) => `${path}[${at}]`).flatMap((place, at) =>
      differences(expected[at], got[at], place),
    );
  }
  if (isObject(expected) && isObject(got)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(got)]);
    return [...keys].flatMap((key) => differences(expected[key], got[key], `${path}.${key}`));
  }
  if (expected === got || isOwnWording(expected, got)) return [];
  return [{ path, expected, got }];
}

type RecordedError = {
  readonly type: JsonValue;
  readonly message: JsonValue;
  readonly fields?: JsonValue;
};

/** Of faulty data it counts where the faults are, not how they are put. */
function errorDifferences(
  expected: RecordedError,
  got: RecordedError,
  path: string,
): readonly Difference[] {
  const isPlaced = expected.fields !== undefined && got.fields !== undefined;
  const shape = ({ type, message, fields }: RecordedError): JsonValue => {
    if (!isPlaced || !Array.isArray(fields)) return { type, message };
    return { type, places: fields.map((field) => (isObject(field) ? (field.loc ?? null) : null)) };
  };
  const isSame = JSON.stringify(shape(expected)) === JSON.stringify(shape(got));
  return isSame ? [] : [{ path, expected, got }];
}

const PLACEHOLDER = /^<(?:default-system-message|default-selector-prompt|retry-prompt)>$/;

/** Built-in prompts are put in words of our own; the vectors only say where one stands. */
function isOwnWording(expected: Maybe, got: Maybe): boolean {
  if (typeof expected !== 'string' || typeof got !== 'string') return false;
  return PLACEHOLDER.test(expected) && got.trim() !== '';
}

function isObject(value: Maybe): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isError(value: Maybe): value is JsonValue & RecordedError {
  if (!isObject(value)) return false;
  const keys = Object.keys(value);
  return (
    'type' in value &&
    'message' in value &&
    keys.every((key) => key === 'type' || key === 'message' || key === 'fields')
  );
}
