import { partMark } from '@teamfuse/core/kit';

/** A JSON object of which nothing is known. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; one without fields if it is none. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

/** The objects in an array; none if it is no array. */
export function recordsOf(value: unknown): readonly Fields[] {
  if (!Array.isArray(value)) return [];
  return value.filter((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
}

/** The objects in an array, or the one that stands for an array of it. */
export function listOf(value: unknown): readonly Fields[] {
  return recordsOf(Array.isArray(value) ? value : [value]);
}

/** The first of the values that is a text with something in it. */
export function nameIn(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}

/** The first of the values that is a count. */
export function countIn(...values: readonly unknown[]): number | undefined {
  return values.find(
    (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0,
  );
}

/** The first of the values that limits tokens: servers take a number as text, too. */
export function limitIn(...values: readonly unknown[]): number | undefined {
  const limits = values.map((value) => {
    const limit = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof limit === 'number' && limit > 0
      ? Math.min(Math.ceil(limit), MAX_LIMIT)
      : undefined;
  });
  return limits.find((limit) => limit !== undefined);
}

/** No model gives as long an answer. */
const MAX_LIMIT = 10_000_000;

/** The text of content: a text, or parts of which some are text. Pictures and other parts stand as their type and a number for their data. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (!Array.isArray(content)) return JSON.stringify(content) ?? '';
  return content.map(partText).filter(Boolean).join('\n');
}

const MARK = /\[[\w.:/+-]{1,64} #\d+\]/;
const MARKS = new RegExp(MARK, 'g');

/** Whether something in a text stands for pictures or other data. */
export function hasMarks(text: string): boolean {
  return MARK.test(text);
}

/** A text without what stands in it for pictures and other data. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, '').trim();
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  const { text, refusal } = fieldsOf(part);
  return nameIn(text, refusal) ?? (typeof text === 'string' ? '' : partMark(part));
}
