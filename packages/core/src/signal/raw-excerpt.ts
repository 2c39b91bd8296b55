import { EXCERPT_LENGTH, RETAINED_LENGTH } from '../common/excerpt.ts';
import type { JsonValue } from '../common/json.ts';
import type { Signal } from './signal.ts';

/** The first characters of what a signal says; `cleanText` cleans them when they are shown. */
export function rawExcerpt(signal: Signal): string {
  switch (signal.kind) {
    case 'message':
    case 'notice':
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
      if (signal.repeated !== undefined) return head(signal.repeated);
      return signal.error ? head(`${signal.model}: ${signal.error.message}`) : signal.model;
    case 'selection':
      return `chose ${signal.chosen}`;
  }
}

/** The head of a value as JSON. A long text is cut first: the rest would be dropped anyway. */
function headOfJson(value: JsonValue | undefined): string {
  const isLong = typeof value === 'string' && value.length > RETAINED_LENGTH;
  return head(JSON.stringify(isLong ? value.slice(0, RETAINED_LENGTH) : value));
}

function head(text: string): string {
  if (text.length <= RETAINED_LENGTH) return text;
  // A slice of a long string keeps the whole string in memory; concatenation copies it.
  return ` ${text.slice(0, EXCERPT_LENGTH * 2)}`.slice(1);
}
