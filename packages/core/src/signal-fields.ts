import type { SignalKind } from './signal.ts';

/** What a field of a signal may hold. */
export type FieldType =
  | 'text'
  | 'name'
  | 'boolean'
  | 'count'
  | 'number'
  | 'money'
  | 'exit-code'
  | 'json'
  | 'names'
  | 'error'
  | 'role'
  | 'decision';

/** The fields of one kind of signal; a `?` after the type marks an optional one. */
type Fields = Readonly<Record<string, FieldType | `${FieldType}?`>>;

/** Fields of every signal besides `kind`. */
export const COMMON_FIELDS: Fields = {
  at: 'number',
  agent: 'text',
  runId: 'text?',
  depth: 'count?',
};

/** Fields of each kind, beyond the common ones. */
export const SIGNAL_FIELDS: Readonly<Record<SignalKind, Fields>> = {
  message: { text: 'text', to: 'text?', role: 'role?' },
  'tool-call': {
    tool: 'name',
    args: 'json',
    result: 'json?',
    error: 'error?',
    executed: 'boolean?',
    callId: 'text?',
    durationMs: 'number?',
  },
  execution: {
    language: 'text',
    code: 'text',
    exitCode: 'exit-code',
    output: 'text',
    timedOut: 'boolean?',
    durationMs: 'number?',
  },
  'model-request': {
    model: 'text',
    requestId: 'name?',
    inputTokens: 'count?',
    maxOutputTokens: 'count?',
    estimatedCostUsd: 'number?',
  },
  usage: {
    model: 'text',
    requestId: 'name?',
    inputTokens: 'count',
    outputTokens: 'count',
    costUsd: 'money',
    isEstimate: 'boolean?',
    error: 'error?',
  },
  handoff: { to: 'text', text: 'text?' },
  'nested-start': {
    chatId: 'name',
    depth: 'count',
    path: 'names',
    trigger: 'text',
    text: 'text?',
  },
  'nested-end': { chatId: 'name', depth: 'count', path: 'names', text: 'text?' },
  'human-input': { text: 'text?', decision: 'decision?', waitedMs: 'number?' },
  selection: { chosen: 'text', candidates: 'names?', attempts: 'count?' },
};
