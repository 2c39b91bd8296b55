import { partMark } from '@teamfuse/core/kit';
import { fieldsOf, listOf } from './values.ts';

/** The text of recorded content: a text, or a list of parts of which some are text. Pictures and other parts stand as their type and a number for their data. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (Array.isArray(content)) {
    return content.map(partText).filter(Boolean).join('\n');
  }
  return stringify(content);
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  const { type, text, content, refusal } = fieldsOf(part) ?? {};
  if (typeof text === 'string') return text;
  if (typeof content === 'string') return content;
  if (typeof refusal === 'string') return refusal;
  return typeof type === 'string' && listOf(content).length === 0 ? partMark(part) : '';
}

/** JSON of a value, empty where it is too deep to be written. */
export function stringify(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}
