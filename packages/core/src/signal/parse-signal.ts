import { BoundedMap } from '../common/bounded-map.ts';
import { InvalidSignalError } from '../common/errors.ts';
import { hashText } from '../common/hash.ts';
import { isArray, isRecord } from '../common/json.ts';
import { asJson } from '../common/to-json.ts';
import { withoutSecrets } from '../secrets/without-secrets.ts';
import { expect } from './field-checks.ts';
import { type AdmissionRequest, isAnnouncing, type RequestInput } from './request.ts';
import type { Signal, SignalInput } from './signal.ts';
import { type Field, REQUEST_FIELDS, SIGNAL_FIELDS, STEP_FIELDS } from './signal-fields.ts';

/**
 * Checks that `value` is a {@link Signal} and returns it; unknown fields are ignored.
 *
 * @example
 * ```ts
 * parseSignal({ kind: 'message', at: 0, agent: 'writer', text: 'Hello' }).kind; // => 'message'
 * ```
 * @throws {@link InvalidSignalError} naming the first bad field, the expected and the received value.
 */
export function parseSignal(value: unknown): Signal {
  const record = recordOf(value);
  const kind = kindOf(record);
  const fields = SIGNAL_FIELDS.get(kind);
  if (fields === undefined) {
    throw new InvalidSignalError('kind', `one of ${[...SIGNAL_FIELDS.keys()].join(', ')}`, kind);
  }
  checkFields(record, fields);
  checkTogether(record, kind);
  return value as Signal;
}

/** Checks the fields of a request that the breaker reads; one that announces a signal is checked as that signal. */
function checkRequest(request: AdmissionRequest): void {
  const record = recordOf(request);
  const kind = kindOf(record);
  if (isAnnouncing(request)) {
    parseSignal(request);
    return;
  }
  const fields = REQUEST_FIELDS.get(kind);
  if (fields === undefined) {
    const kinds = 'turn, tool-call, execution, model-request, nested-start or handoff';
    throw new InvalidSignalError('kind', kinds, kind);
  }
  checkFields(record, fields);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw new InvalidSignalError('', 'an object', value);
}

function kindOf(record: Readonly<Record<string, unknown>>): unknown {
  try {
    return record.kind;
  } catch (error) {
    throw new InvalidSignalError('kind', 'readable data', error);
  }
}

function checkFields(record: Readonly<Record<string, unknown>>, fields: readonly Field[]): void {
  let field = '';
  try {
    for (const { name, check, isOptional } of fields) {
      field = name;
      const value = record[name];
      if (value !== undefined || !isOptional) check(name, value);
    }
  } catch (error) {
    if (error instanceof InvalidSignalError) throw error;
    throw new InvalidSignalError(field, 'readable data', error);
  }
}

function checkTogether(record: Readonly<Record<string, unknown>>, kind: unknown): void {
  if (kind === 'tool-call') {
    const { result, error, executed } = record;
    const hasOne = (result === undefined) !== (error === undefined);
    expect(hasOne, 'result', 'exactly one of result and error', result);
    const isTurnedAway = executed === false && error === undefined;
    expect(!isTurnedAway, 'error', 'an error, since the call was not executed', error);
  }
  if (kind === 'human-input') {
    const isSomething = record.text !== undefined || record.decision !== undefined;
    expect(isSomething, 'text', 'at least one of text and decision', record.text);
  }
}

/** The signal, with the time of this clock if it has none. Values that are no objects fail the check that follows. */
export function withTime(given: SignalInput, now: () => number): Signal {
  return (lacks('at', given) ? { ...given, at: now() } : given) as Signal;
}

/**
 * The request, likewise, whose call of a tool has no arguments where it gives none, and those that JSON cannot express as texts. What
 * the breaker reads of it is checked.
 * @throws {@link InvalidSignalError}
 */
export function requestOf(given: RequestInput, now: () => number): AdmissionRequest {
  const timed = lacks('at', given) ? { ...given, at: now() } : given;
  const isCall = kindOf(recordOf(timed)) === 'tool-call';
  const request = (isCall ? withJson(timed) : timed) as AdmissionRequest;
  checkRequest(request);
  return request;
}

function withJson(call: RequestInput): RequestInput {
  let args: unknown;
  try {
    ({ args } = call as Readonly<{ args?: unknown }>);
  } catch (error) {
    throw new InvalidSignalError('args', 'readable data', error);
  }
  const json = args === undefined ? null : asJson(args);
  return json === args ? call : ({ ...call, args: json } as RequestInput);
}

function lacks(name: string, given: unknown): boolean {
  try {
    return isRecord(given) && given[name] === undefined;
  } catch {
    return false;
  }
}

const MAX_NAME = 128;
const KEPT = 96;
const MARK = /(?<=\[redacted\].{0,96})…[\da-z]{1,12}$/s;
/** The rest of a longer name is not read. */
const READ = 1000;
/** No secret is as short and as plain. */
const PLAIN = /^[\w-]{0,12}$/;
/** Names that programs look things up by. */
const IDENTIFIERS: readonly string[] = ['model', 'requestId'];
/** The names that were told last without secrets: most are told again with each signal. */
const known: BoundedMap<string, string> = new BoundedMap(1000);

const NAME_FIELDS: ReadonlyMap<unknown, readonly Field[]> = new Map(
  [...SIGNAL_FIELDS].map(([kind, fields]) => [kind, fields.filter(isName)]),
);
const NAMES_OF_STEP = STEP_FIELDS.filter(isName);

/**
 * The signal or request with names of bounded length and without secrets, so that what is remembered by name stays bounded, and
 * may be told. Different names stay different.
 */
export function safeNames<T extends Signal | AdmissionRequest>(value: T): T {
  const given = value as unknown as Readonly<Record<string, unknown>>;
  let copy: Record<string, unknown> | undefined;
  for (const { name, type } of NAME_FIELDS.get(value.kind) ?? NAMES_OF_STEP) {
    const named = given[name];
    // Only the common fields of a request were checked.
    const isList = type === 'names' && isArray(named);
    const bound = IDENTIFIERS.includes(name) ? shortName : safeName;
    const own = isList ? boundAll(named as readonly unknown[], bound) : boundOne(named, bound);
    if (own === named) continue;
    copy ??= { ...value };
    copy[name] = own;
  }
  return (copy ?? value) as T;
}

/**
 * A name of at most 128 characters without secrets: one that is longer, or has the form of a secret, becomes its beginning, as far as
 * that may be told, and a hash.
 */
export function safeName(name: string): string {
  if (PLAIN.test(name)) return name;
  const told = known.get(name);
  if (told !== undefined) return told;
  const own = toldName(name);
  if (name.length <= MAX_NAME) known.set(name, own);
  return own;
}

function toldName(name: string): string {
  // The mark of a name that was told before would be taken for a part of its secret.
  const own = name.slice(0, READ).replace(MARK, '');
  const shown = withoutSecrets(own);
  return shown === own ? shortName(name) : marked(shown, name);
}

function shortName(name: string): string {
  return name.length <= MAX_NAME ? name : marked(name, name);
}

function marked(shown: string, name: string): string {
  return `${shown.slice(0, KEPT)}…${hashText(name).toString(36)}`;
}

type Bound = (name: string) => string;

function boundOne(value: unknown, bound: Bound): unknown {
  return typeof value === 'string' ? bound(value) : value;
}

function boundAll(list: readonly unknown[], bound: Bound): readonly unknown[] {
  const all = list.map((one) => boundOne(one, bound));
  return all.some((one, at) => one !== list[at]) ? all : list;
}

function isName({ type }: Field): boolean {
  return type === 'label' || type === 'name' || type === 'names';
}
