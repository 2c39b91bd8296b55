import { writeJson } from '../common/to-json.ts';
import { estimateTokens } from '../detection/text/token-estimate.ts';

const MAX_KEYS = 20;
const MAX_KEY = 40;
/** A longer text without any space is data, such as a picture. */
const MAX_WORD = 256;
const DATA = /^[\w+/=:;,.-]*$/;

/** The tokens of the texts in an answer without usage; `undefined` for one that is read only later, or holds none. */
export function tokensOfAnswer(value: unknown): number | undefined {
  if (value === undefined || value === null || isStream(value)) return undefined;
  let tokens = 0;
  JSON.stringify(
    writeJson(value, () => ''),
    (_, inner: unknown) => {
      const isText = typeof inner === 'string' && !(inner.length > MAX_WORD && DATA.test(inner));
      if (isText) tokens += estimateTokens(inner);
      return inner;
    },
  );
  return tokens > 0 ? tokens : undefined;
}

/** Names what a model call returned, if its usage cannot be read: the fields, never what they hold. */
export function unreadUsage(value: unknown): TypeError {
  const advice = isStream(value)
    ? 'Read it within the work, and pass each piece of text to step.streamed.'
    : 'Return the answer of the provider with its usage, or a usage signal by the option report.';
  return new TypeError(
    `the usage of a model call is an estimate: nothing tells it in ${shapeOf(value)}. ${advice} Further calls of this kind are not told`,
  );
}

function isStream(value: unknown): boolean {
  return typeof Object(value)[Symbol.asyncIterator] === 'function';
}

function shapeOf(value: unknown): string {
  if (value === undefined || value === null) return `what it returned, ${String(value)}`;
  if (typeof value !== 'object') return `the ${typeof value} that it returned`;
  if (isStream(value)) return 'the stream that it returned';
  const keys = Object.keys(value).map((key) => `'${key.slice(0, MAX_KEY)}'`);
  const more = keys.length > MAX_KEYS ? ` and ${keys.length - MAX_KEYS} more` : '';
  const fields = keys.slice(0, MAX_KEYS).join(', ');
  return `the object that it returned, with ${fields === '' ? 'no fields' : `the fields ${fields}`}${more}`;
}
