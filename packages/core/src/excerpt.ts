import type { JsonValue } from './json.ts';
import type { Signal } from './signal/signal.ts';

/** Characters of an excerpt at most. @internal */
export const EXCERPT_LENGTH = 160;
/** Characters of a raw excerpt at most. @internal */
export const RETAINED_LENGTH = 1024;

/**
 * The first characters of what a signal says, unclean: `cleanText` comes only once somebody reads it.
 * @internal
 */
export function rawExcerpt(signal: Signal): string {
  switch (signal.kind) {
    case 'message':
    case 'nested-end':
    case 'human-input':
      return head(signal.text ?? '');
    case 'handoff':
      return head(`to ${signal.to}: ${signal.text ?? ''}`);
    case 'nested-start':
      return head(`${signal.trigger}: ${signal.text ?? ''}`);
    case 'execution':
      return head(`exit code ${signal.exitCode}: ${head(signal.output)}`);
    case 'tool-call': {
      const outcome = signal.error?.message ?? headOfJson(signal.result);
      return head(`${signal.tool}(${headOfJson(signal.args)}): ${head(outcome)}`);
    }
    case 'model-request':
      return signal.model;
    case 'usage':
      return signal.error ? head(`${signal.model}: ${signal.error.message}`) : signal.model;
    case 'selection':
      return `chose ${signal.chosen}`;
  }
}

/**
 * Text that can be shown anywhere: one line of whole characters, none for control or direction, none that is invisible,
 * never two spaces in a row, at most `length`.
 * @internal
 */
export function cleanText(text: string, length: number): string {
  const line = text
    .slice(0, 4 * length)
    .replace(/\p{Cf}|\p{Cs}|\p{Default_Ignorable_Code_Point}|(?![\t\n\r])\p{Cc}/gu, '')
    .replace(/[\s\u2800]+/g, ' ')
    .trim();
  // No text has more characters than units.
  if (line.length <= length) return line;
  const characters = [...line];
  return characters.length <= length ? line : `${characters.slice(0, length - 1).join('')}…`;
}

const MAX_QUOTATION = 100;

/**
 * A text of the team inside a sentence of ours: one line between quotation marks that nothing in it can close.
 * @internal
 */
export function quotation(text: string, length: number = MAX_QUOTATION): string {
  return `'${cleanText(text, length).replace(/['‘’‚‛`´]/g, '’')}'`;
}

/** The head of a value as JSON. A long text gives way to its beginning first: of the rest nothing would be kept. */
function headOfJson(value: JsonValue | undefined): string {
  const isLong = typeof value === 'string' && value.length > RETAINED_LENGTH;
  return head(JSON.stringify(isLong ? value.slice(0, RETAINED_LENGTH) : value));
}

function head(text: string): string {
  if (text.length <= RETAINED_LENGTH) return text;
  // A slice of a long string keeps all of it in memory; joining it to something makes a short string of its own first.
  return ` ${text.slice(0, EXCERPT_LENGTH * 2)}`.slice(1);
}
