/** Plain data as it stands in a vector file. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Whether two values that are not the same may stand for each other at a place. */
export type Forgives = (expected: unknown, got: unknown, path: readonly string[]) => boolean;

// The recorded library's message objects carry these keys also when there is nothing in them.
const optionalKeys: readonly string[] = [
  'function_call',
  'tool_calls',
  'refusal',
  'annotations',
  'audio',
];

/** Whether two pieces of plain data are the same, or forgiven where they are not. */
export function sameJson(
  expected: unknown,
  got: unknown,
  forgives: Forgives,
  path: readonly string[] = [],
): boolean {
  if (expected === got || forgives(expected, got, path)) return true;
  if (typeof expected !== 'object' || typeof got !== 'object' || !expected || !got) return false;
  if (Array.isArray(expected) !== Array.isArray(got)) return false;
  const keys = new Set([...presentKeys(expected), ...presentKeys(got)]);
  return [...keys].every((key) =>
    sameJson(Reflect.get(expected, key), Reflect.get(got, key), forgives, [...path, key]),
  );
}

function presentKeys(value: object): string[] {
  return Object.keys(value).filter((key) => {
    const field = Reflect.get(value, key);
    return field !== undefined && !(field === null && optionalKeys.includes(key));
  });
}
