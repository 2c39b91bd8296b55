import { readUsage } from '@teamfuse/core';

/** What a field of `readUsage` is called in the table. */
const BOOKED: readonly (readonly [string, string])[] = [
  ['cacheWrite1hTokens', 'cached for an hour'],
  ['cacheWriteTokens', 'cache written'],
  ['cachedInputTokens', 'cache read'],
  ['inputAudioTokens', 'sound heard'],
  ['outputAudioTokens', 'sound spoken'],
  ['inputImageTokens', 'pictures seen'],
  ['outputImageTokens', 'pictures made'],
  ['reasoningTokens', 'thoughts'],
  ['webSearches', 'searches'],
  ['serviceTier', 'tier'],
  ['responseModel', 'model'],
  ['costUsd', 'cost'],
  ['inputTokens', 'prompt'],
  ['outputTokens', 'answer'],
];

/** The row of an API: what its report is booked as, with the fields of each. Those that are not booked are left out. */
export function rowOf(api: string, report: object): string {
  const fields = new Map<string, string[]>();
  for (const path of leavesOf(report, [])) {
    const booked = bookedAs(report, path);
    if (booked === undefined) continue;
    fields.set(booked, [...(fields.get(booked) ?? []), `\`${path.join('.')}\``]);
  }
  const parts = [...fields].map(([booked, names]) => `${booked}: ${names.join(', ')}`);
  return `| ${api} | ${parts.join('; ')} |`;
}

/** What is read otherwise if the field says something else; nothing for a field that is not booked. */
function bookedAs(report: object, path: readonly string[]): string | undefined {
  const before = readUsage(report);
  const after = readUsage(changed(report, path));
  const isOther = ([field]: readonly [string, string]): boolean =>
    Reflect.get(Object(before), field) !== Reflect.get(Object(after), field);
  return BOOKED.find(isOther)?.[1];
}

function leavesOf(value: unknown, path: readonly string[]): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

function changed(value: object, [name = '', ...rest]: readonly string[]): object {
  const inner: unknown = Reflect.get(value, name);
  const isLeaf = rest.length === 0;
  return { ...value, [name]: isLeaf ? otherThan(inner) : changed(Object(inner), rest) };
}

function otherThan(value: unknown): unknown {
  if (typeof value === 'number') return value + (Number.isInteger(value) ? 1 : 0.005);
  return value === 'standard' ? 'fast' : 'priority';
}
