import { FIELD_CHECKS, type FieldCheck, type FieldType } from './field-checks.ts';
import type { SignalKind } from './signal.ts';

/** The fields of one kind of signal; a `?` after the type marks an optional one. */
type FieldTypes = Readonly<Record<string, FieldType | `${FieldType}?`>>;

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly check: FieldCheck;
  readonly isOptional: boolean;
}

const COMMON_FIELDS: FieldTypes = {
  at: 'number',
  agent: 'label',
  runId: 'label?',
  depth: 'count?',
};

const FIELDS_OF_KIND: Readonly<Record<SignalKind, FieldTypes>> = {
  message: { text: 'text', to: 'label?', role: 'role?' },
  'tool-call': {
    tool: 'name',
    args: 'json',
    result: 'json?',
    error: 'error?',
    executed: 'boolean?',
    callId: 'label?',
    durationMs: 'number?',
    isGivenUp: 'boolean?',
  },
  execution: {
    language: 'label',
    code: 'text',
    exitCode: 'exit-code',
    output: 'text',
    timedOut: 'boolean?',
    durationMs: 'number?',
    isGivenUp: 'boolean?',
  },
  'model-request': {
    model: 'label',
    requestId: 'name?',
    inputTokens: 'count?',
    maxOutputTokens: 'count?',
    answers: 'count?',
    estimatedCostUsd: 'money?',
    usualCostUsd: 'number?',
    isWrapUp: 'boolean?',
    user: 'label?',
    team: 'label?',
    key: 'label?',
  },
  usage: {
    model: 'label',
    requestId: 'name?',
    inputTokens: 'count',
    outputTokens: 'count',
    cachedInputTokens: 'count?',
    cacheWriteTokens: 'count?',
    cacheWrite1hTokens: 'count?',
    inputAudioTokens: 'count?',
    cachedAudioTokens: 'count?',
    inputImageTokens: 'count?',
    outputAudioTokens: 'count?',
    outputImageTokens: 'count?',
    reasoningTokens: 'count?',
    webSearches: 'count?',
    serviceTier: 'tier?',
    responseModel: 'label?',
    costUsd: 'money?',
    isEstimate: 'boolean?',
    isPartial: 'boolean?',
    isGivenUp: 'boolean?',
    repetitions: 'count?',
    repeated: 'text?',
    error: 'error?',
  },
  handoff: { to: 'label', text: 'text?' },
  'nested-start': {
    chatId: 'name',
    depth: 'count',
    path: 'names',
    trigger: 'label',
    text: 'text?',
  },
  'nested-end': { chatId: 'name', depth: 'count', path: 'names', text: 'text?' },
  'human-input': {
    text: 'text?',
    decision: 'decision?',
    waitedMs: 'number?',
    isAutomatic: 'boolean?',
  },
  selection: { chosen: 'label', candidates: 'names?', attempts: 'count?' },
  notice: { text: 'text' },
};

/** The fields that every step has. */
export const STEP_FIELDS: readonly Field[] = Object.entries(COMMON_FIELDS).map(toField);
/** The fields of the requests that announce no signal, by their kind. */
export const REQUEST_FIELDS: ReadonlyMap<unknown, readonly Field[]> = new Map(
  Object.entries({
    turn: {},
    'tool-call': { tool: 'name' },
    execution: { language: 'label', code: 'text' },
  } satisfies Readonly<Record<string, FieldTypes>>).map(([kind, fields]) => [
    kind,
    [...STEP_FIELDS, ...Object.entries(fields).map(toField)],
  ]),
);

export const SIGNAL_KINDS: readonly SignalKind[] = Object.keys(FIELDS_OF_KIND) as SignalKind[];

/** The names of all fields of signals, whatever their kind. */
export const SIGNAL_FIELD_NAMES: readonly string[] = [
  ...new Set([
    'kind',
    ...[COMMON_FIELDS, ...Object.values(FIELDS_OF_KIND)].flatMap((fields) => Object.keys(fields)),
  ]),
];

/** The fields of each kind besides `kind`, precomputed because every signal is checked. */
export const SIGNAL_FIELDS: ReadonlyMap<unknown, readonly Field[]> = new Map(
  Object.entries(FIELDS_OF_KIND).map(([kind, fields]) => [
    kind,
    Object.entries({ ...COMMON_FIELDS, ...fields }).map(toField),
  ]),
);

function toField([name, type]: [string, string]): Field {
  const isOptional = type.endsWith('?');
  const plain = (isOptional ? type.slice(0, -1) : type) as FieldType;
  return { name, type: plain, check: FIELD_CHECKS[plain], isOptional };
}
