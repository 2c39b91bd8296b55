import { isTripped, type Trip } from '@teamfuse/core';
import { fieldsOf, nameIn, recordsOf } from './fields.ts';
import { isReadable } from './json-size.ts';

/** Why a call was refused, as far as its error says. */
export interface RefusedTrip {
  /** What stopped it: a budget, a loop, a throttle and so on. */
  readonly kind: Trip['kind'];
  /** One sentence for people. */
  readonly reason: string;
  /** Milliseconds after which it may be tried again; missing if waiting does not help. */
  readonly retryInMs?: number;
}

const REASON = /The (?:call was refused|answer was cut off): (.*)\.$/s;
/** The type of errors that say so. */
export const CIRCUIT_OPEN = 'circuit_open';
/** How deep an error may be wrapped in others. */
const MAX_WRAPS = 8;
const MS_PER_SECOND = 1_000;

/**
 * Why a call was refused, from the error that an SDK throws: of OpenAI, Anthropic, Google, the AI SDK, and whatever wraps theirs as
 * its `cause`; also from a `Response` of `fetch`, which has no reason. `undefined` for any other error.
 *
 * @example
 * ```ts
 * tripOf(new Error('reset')); // => undefined
 * ```
 */
export function tripOf(error: unknown): RefusedTrip | undefined {
  try {
    return tripInText(error);
  } catch {
    // It cannot be read.
    return undefined;
  }
}

function tripInText(error: unknown): RefusedTrip | undefined {
  let here = error;
  for (let i = 0; i < MAX_WRAPS && typeof here === 'object' && here !== null; i++) {
    if (isTripped(here)) return { kind: here.trip.kind, reason: here.trip.reason };
    const { headers, responseHeaders, cause, lastError } = here as Readonly<
      Record<string, unknown>
    >;
    const header = readerOf(headers ?? responseHeaders);
    const kind = header('x-teamfuse-kind');
    if (kind !== undefined) {
      return tripWith(kind, reasonIn(here), header('retry-after'));
    }
    const told = tripInBody(here) ?? tripInDetails(here);
    if (told !== undefined) return told;
    here = cause ?? lastError;
  }
  return undefined;
}

function tripWith(kind: string, reason: string, seconds: string | undefined): RefusedTrip {
  return {
    kind: kind as Trip['kind'],
    reason,
    ...(seconds !== undefined && { retryInMs: Number(seconds) * MS_PER_SECOND }),
  };
}

/** Of a stream that was cut off, SDKs keep the event that says so. */
function tripInBody({ error }: { readonly error?: unknown }): RefusedTrip | undefined {
  const body = fieldsOf(error);
  const { type, kind, message } = fieldsOf(body.error ?? body);
  const isTold = type === CIRCUIT_OPEN && typeof kind === 'string';
  return isTold ? tripWith(kind, reasonIn({ message }), undefined) : undefined;
}

/** Google's SDK keeps no headers, and puts the whole body into its message. */
function tripInDetails({ message }: { readonly message?: unknown }): RefusedTrip | undefined {
  const text = nameIn(message) ?? '';
  const json = text.slice(text.indexOf('{'));
  if (!json.includes('"teamfuse"') || !isReadable(json)) return undefined;
  const { details, message: told } = fieldsOf(fieldsOf(bodyIn(json)).error);
  const own = recordsOf(details).find(({ domain }) => domain === 'teamfuse');
  const { kind, retryAfter } = fieldsOf(own?.metadata);
  if (typeof kind !== 'string') return undefined;
  return tripWith(kind, reasonIn({ message: told }), nameIn(retryAfter));
}

function bodyIn(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** SDKs keep the headers of their own `fetch`, whose class is another one, or plain fields. */
function readerOf(headers: unknown): (name: string) => string | undefined {
  const { get } = Object(headers) as { readonly get?: unknown };
  if (typeof get === 'function') return (name) => nameIn(get.call(headers, name));
  const fields = Object.entries(fieldsOf(headers));
  return (name) => {
    const [, value] = fields.find(([key]) => key.toLowerCase() === name) ?? [];
    return nameIn(...[value].flat());
  };
}

/** The reason in what an SDK kept of the body, or put into its message. */
function reasonIn(error: object): string {
  const { error: body, message = '' } = error as Readonly<Record<string, unknown>>;
  const inner = fieldsOf(body);
  const text = nameIn(fieldsOf(inner.error).message, inner.message, message) ?? '';
  return REASON.exec(text)?.[1] ?? text;
}
