import type { Signal } from '@teamfuse/core';
import { SIGNAL_KINDS } from '@teamfuse/core/detectors';
import type { JsonValue } from '@teamfuse/core/kit';
import type { SeededRandom } from './seeded-random.ts';
import { words } from './words.ts';

/** Texts that have broken readers before. */
const ODD_TEXTS = [
  '',
  ' \n\t',
  '.',
  '\ud800',
  '\u202e\u0000\u200b',
  '👩‍👩‍👧 🎉',
  '一二三四五六七八九十',
  'ありがとう ございます',
  '감사합니다 여러분',
  'شكرا ١٢٣',
  '```\nprint(1)',
  '```js\nlet x = 1;\n```\n```\n```',
  'Traceback (most recent call last):\n  File "a.py", line 3\nKeyError: \'x\'',
  'Error: ENOENT: no such file or directory',
  '3 failed, 2 passed',
  '{"error":{"code":429}}',
  `${'='.repeat(80)}\n${'--'.repeat(200)}`,
  'no '.repeat(2000),
  `The total is ${'9'.repeat(400)} euros by now.`,
];
const ODD_NUMBERS = [0, 1, 2.5, 1e21, Number.MIN_VALUE, Number.MAX_SAFE_INTEGER];
const ODD_KEYS = ['__proto__', 'constructor', 'toString', 'requestId', 'servedAt', '', 'query'];
const AGENTS = ['ann', 'bob', 'cleo', '', '__proto__', 'user_proxy'];

/** Any valid signal of any kind, at `at`. */
export function anySignal(random: SeededRandom, at: number): Signal {
  const kind = random.pick(SIGNAL_KINDS);
  const agent = random.pick(AGENTS);
  const depth = random.below(4);
  const base = {
    at,
    agent,
    ...(random.oneIn(3) && { depth }),
    ...(random.oneIn(5) && { runId: 'r' }),
  };
  const text = random.oneIn(4) ? undefined : anyText(random);
  const error = { message: anyText(random), ...(random.oneIn(2) && { code: '429' }) };
  switch (kind) {
    case 'message':
      return {
        kind,
        ...base,
        text: text ?? '',
        ...(random.oneIn(3) && { to: random.pick(AGENTS) }),
      };
    case 'tool-call': {
      const outcome = random.oneIn(3)
        ? { error, executed: random.oneIn(2) }
        : { result: anyJson(random, 0) };
      const tool = random.pick(['search', '__proto__', 'fetch']);
      const args = random.oneIn(3) ? anyJson(random, 0) : anyObject(random, 0);
      const took = random.oneIn(4) && { durationMs: random.below(5000) };
      return { kind, ...base, tool, args, ...outcome, ...took };
    }
    case 'execution': {
      const run = { language: random.pick(['python', 'sh', '']), code: anyText(random) };
      const exitCode = random.pick([0, 0, 1, 127, -1, null]);
      return { kind, ...base, ...run, exitCode, output: text ?? '', timedOut: exitCode === null };
    }
    case 'model-request':
      return {
        kind,
        ...base,
        model: 'm',
        ...(random.oneIn(2) && { inputTokens: random.below(9000) }),
      };
    case 'usage': {
      const tokens = { inputTokens: random.below(9000), outputTokens: random.below(900) };
      const costUsd = random.oneIn(3) ? null : random.pick(ODD_NUMBERS);
      return { kind, ...base, model: 'm', ...tokens, costUsd, ...(random.oneIn(4) && { error }) };
    }
    case 'handoff':
      return { kind, ...base, to: random.pick(AGENTS), ...(text !== undefined && { text }) };
    case 'nested-start':
    case 'nested-end': {
      const chatId = random.pick(['review', '__proto__']);
      const path = ['main', ...new Array<string>(depth).fill(chatId)];
      const chat = { chatId, depth, path, trigger: 'reply:ann' };
      return { kind, ...base, ...chat, ...(text !== undefined && { text }) };
    }
    case 'human-input':
      return text === undefined
        ? { kind, ...base, decision: random.pick(['approve', 'reject', 'timeout'] as const) }
        : { kind, ...base, text, waitedMs: random.pick(ODD_NUMBERS) };
    case 'selection':
      return { kind, ...base, chosen: random.pick(AGENTS), candidates: [...AGENTS] };
    case 'notice':
      return { kind, ...base, text: anyText(random) };
  }
}

function anyText(random: SeededRandom): string {
  return random.oneIn(2) ? random.pick(ODD_TEXTS) : words(random, 1 + random.below(40), 500);
}

function anyJson(random: SeededRandom, depth: number): JsonValue {
  switch (random.below(depth > 2 ? 4 : 7)) {
    case 0:
      return null;
    case 1:
      return random.oneIn(2);
    case 2:
      return random.pick(ODD_NUMBERS);
    case 3:
      return anyText(random);
    case 4:
      return Array.from({ length: random.below(4) }, () => anyJson(random, depth + 1));
    default:
      return anyObject(random, depth);
  }
}

function anyObject(random: SeededRandom, depth: number): JsonValue {
  // Parsing makes `__proto__` a key like any other, as it is in data from outside.
  return JSON.parse(`{${[anyField(random, depth), anyField(random, depth)].join()}}`);
}

function anyField(random: SeededRandom, depth: number): string {
  return `${JSON.stringify(random.pick(ODD_KEYS))}:${JSON.stringify(anyJson(random, depth + 1))}`;
}
