import { InvalidOptionError, type Signal } from '@teamfuse/core';
import type { JsonValue } from '@teamfuse/core/kit';
import { type OptionTable, readOptions } from '@teamfuse/core/options';

/** Options of {@link transcript}. */
export interface TranscriptOptions {
  /**
   * When the first signal happens, in milliseconds.
   * @defaultValue 0
   */
  readonly startAt?: number;
  /**
   * Milliseconds from one signal to the next.
   * @defaultValue 1000
   */
  readonly stepMs?: number;
}

const OPTIONS: OptionTable<TranscriptOptions> = {
  startAt: { type: 'integer', min: 0, default: 0 },
  stepMs: { type: 'integer', min: 0, default: 1000 },
};

/**
 * Writes signals in short, one word each, for tests and tables.
 *
 * | written | means |
 * |---|---|
 * | `A:hello` | A says it |
 * | `A>tool(args)=result` | A calls a tool; arguments and result are JSON where they can be, text otherwise |
 * | `A>tool(args)!error` | the call fails |
 * | `A!exit1(code):output` | A runs code; `(code)` and `:output` may be missing |
 * | `A->B:text` | A hands over to B; `:text` may be missing |
 * | `A?text` | a person, A, says it |
 * | `A#900/40` | A's model call took 900 tokens in and 40 out |
 * | `A{chat:task` | A starts a nested chat; what follows is one deeper. `:task` may be missing |
 * | `A}summary` | the nested chat ends; the summary may be missing |
 * | `+5000` | milliseconds pass |
 *
 * A text with spaces or signs in it stands in double quotes, with the escapes of JSON. Names are letters, digits and
 * `_`.
 *
 * @example
 * ```ts
 * transcript('A:hi B:"hello there"').map(({ kind, at, agent }) => `${at} ${agent} ${kind}`); // => ['0 A message', '1000 B message']
 * ```
 * @throws {@link InvalidOptionError} naming the option, or showing the first word that cannot be read.
 */
export function transcript(text: string, options: TranscriptOptions = {}): Signal[] {
  if (typeof text !== 'string') throw new InvalidOptionError('text', 'text', text);
  const { startAt, stepMs } = readOptions('', options, OPTIONS);
  const signals: Signal[] = [];
  const path = ['main'];
  let at = startAt;
  for (let rest = text.trimStart(); rest !== ''; ) {
    const [written = '', ms, agent = '', sign = ''] = WORD.exec(rest) ?? fail(rest);
    rest = rest.slice(written.length);
    if (ms !== undefined) {
      at += Number(ms);
    } else {
      const [said = '', ...parts] = FORMS[sign]?.exec(rest) ?? fail(`${written}${rest}`);
      rest = rest.slice(said.length);
      signals.push(toSignal(sign, { at, agent }, parts, path));
      at += stepMs;
    }
    if (rest !== '' && rest === rest.trimStart()) fail(rest);
    rest = rest.trimStart();
  }
  return signals;
}

/** A pause, or who acts and what sort of thing they do. */
const WORD = /^(?:\+(\d+)|(\w+)(->|!exit|[:>?#{}]))/;

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const TEXT = String.raw`(${QUOTED}|[^\s"()]*)`;
const DATA = String.raw`(\[.*?\](?=\s|$)|\{.*?\}(?=\s|$)|${QUOTED}|[^\s"()]*)`;
const INNER = String.raw`\(((?:${QUOTED}|[^"()])*)\)`;

/** What stands after each sign. */
const FORMS: Readonly<Record<string, RegExp>> = {
  ':': new RegExp(`^${TEXT}`, 'u'),
  '?': new RegExp(`^${TEXT}`, 'u'),
  '}': new RegExp(`^${TEXT}`, 'u'),
  '>': new RegExp(String.raw`^(\w+)${INNER}(=|!)${DATA}`, 'u'),
  '!exit': new RegExp(String.raw`^(-?\d+)(?:${INNER})?(?::${TEXT})?`, 'u'),
  '->': new RegExp(String.raw`^(\w+)(?::${TEXT})?`, 'u'),
  '{': new RegExp(String.raw`^(\w+)(?::${TEXT})?`, 'u'),
  '#': /^(\d+)\/(\d+)/,
};

function toSignal(
  sign: string,
  who: { readonly at: number; readonly agent: string },
  [first = '', second, third, fourth = '']: readonly string[],
  path: string[],
): Signal {
  const depth = path.length - 1;
  const base = { ...who, ...(depth > 0 && { depth }) };
  switch (sign) {
    case '>': {
      const call = { kind: 'tool-call', ...base, tool: first, args: data(second ?? '') } as const;
      return third === '='
        ? { ...call, result: data(fourth) }
        : { ...call, error: { message: textOf(fourth) } };
    }
    case '!exit': {
      const output = textOf(third ?? '');
      const run = { language: 'sh', code: textOf(second ?? ''), exitCode: Number(first), output };
      return { kind: 'execution', ...base, ...run };
    }
    case '->':
      return { kind: 'handoff', ...base, to: first, ...optionalText(second) };
    case '?':
      return { kind: 'human-input', ...base, text: textOf(first) };
    case '#': {
      const tokens = { inputTokens: Number(first), outputTokens: Number(second) };
      return { kind: 'usage', ...base, model: 'model', ...tokens, costUsd: null };
    }
    case '{': {
      path.push(first);
      const chat = {
        chatId: first,
        depth: depth + 1,
        path: [...path],
        trigger: `reply:${who.agent}`,
      };
      return { kind: 'nested-start', ...base, ...chat, ...optionalText(second) };
    }
    case '}': {
      const chat = { chatId: path.at(-1) ?? '', depth, path: [...path] };
      if (depth === 0) fail('}, with no nested chat to end');
      path.pop();
      return { kind: 'nested-end', ...base, ...chat, ...optionalText(first || undefined) };
    }
    default:
      return { kind: 'message', ...base, text: textOf(first) };
  }
}

function data(written: string): JsonValue {
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}

function textOf(written: string): string {
  return written.startsWith('"') ? String(data(written)) : written;
}

function optionalText(written: string | undefined): { readonly text?: string } {
  return written === undefined ? {} : { text: textOf(written) };
}

function fail(rest: string): never {
  throw new InvalidOptionError('transcript', 'signals such as A:hello or A>tool(1)=2', rest);
}
