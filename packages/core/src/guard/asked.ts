import { hashText } from '../common/hash.ts';
import type { JsonValue } from '../common/json.ts';
import { isPlain, marked, writeJson } from '../common/to-json.ts';

/** More arguments than any host hands over with its own. */
const MAX_ARGUMENTS = 20;

type Fields = Readonly<Record<string, unknown>>;

/**
 * What a call asks: its arguments as data, without what its host adds. Never throws.
 *
 * Signals do not count, nor do functions in objects; a function as an argument counts by its code. Objects that hide what they
 * hold, such as clients and loggers, are the same as themselves alone; as the first argument, and where reading them uses them
 * up, they are the same as nothing. What a host tells of its call, see {@link tellsCall}, does not count at all.
 */
export function askedOf(args: readonly unknown[]): JsonValue {
  const own = ownOf(args);
  return writeJson(own, (value, holder, key) => {
    const isArgument = holder === own;
    const isFirst = isArgument && key === '0';
    if (typeof value === 'function') {
      if (isFirst) return marked(value);
      return isArgument ? `[function #${hashText(String(value))}]` : undefined;
    }
    if (isSignal(value)) return undefined;
    const isUsedUp = Symbol.iterator in value || Symbol.asyncIterator in value;
    return isFirst || isUsedUp ? marked(value) : sameAsItself(value);
  });
}

/** The arguments without those of a host. */
function ownOf(args: readonly unknown[]): readonly unknown[] {
  try {
    if (args.length > MAX_ARGUMENTS) return args;
    const [first, ...others] = args;
    if (isRequestOfMcp(first)) return others;
    if (others.length === 0) return args;
    const isHosts = (one: unknown): boolean =>
      [one, ...valuesOf(one)].some((part) => tellsCall(part, args));
    const own = others.some(isHosts)
      ? others.filter((one) => !isHosts(one) && !isLive(one))
      : others;
    return [first, ...own.map(withoutCallIds)];
  } catch {
    return args;
  }
}

/**
 * Whether an argument, or a part of it, tells a tool of its call. Only the protocol's own name for the id of a call can say so:
 * to the letter, an id that changes with each call is data like any other. Next to it must stand what is no data, the messages
 * of the chat, or the first argument again.
 *
 * `toolCallId`: the options of the AI SDK, `agent` in the context of Mastra, the runtime of LangChain. `toolCall`: the config of
 * LangChain, the details of the OpenAI Agents SDK. `toolUse`: the context of Anthropic's tools. `_parentRunId`: the callbacks of
 * LangChain, for tools called by hand.
 */
function tellsCall(part: unknown, [first, ...others]: readonly unknown[]): boolean {
  if (!isObject(part)) return false;
  if (isRequestOfMcp(part) || '_parentRunId' in part) return true;
  const { toolCallId, messages, toolCall, toolUse } = part;
  const call = toolCall ?? toolUse;
  if (typeof toolCallId !== 'string' && !isObject(call)) return false;
  if (Array.isArray(messages) || [...valuesOf(part), ...others].some(isLive)) return true;
  return isObject(call) && isSame(call.args ?? call.input, first);
}

/** Whether it is what handlers of the Model Context Protocol are given, in version 1 or 2 of its SDK. */
function isRequestOfMcp(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { mcpReq, requestId, sendNotification } = value;
  if (isObject(mcpReq)) return isSignal(mcpReq.signal);
  return requestId !== undefined && typeof sendNotification === 'function';
}

/** Options without the id of the call that their signal ends, as tools of AutoGen 0.4 get it. */
function withoutCallIds(options: unknown): unknown {
  if (!isObject(options) || !isPlain(options) || !valuesOf(options).some(isSignal)) return options;
  const { callId: _call, requestId: _request, ...own } = options;
  return own;
}

/** Whether it is no data: a function, a signal, or an instance of a class other than a date. */
function isLive(value: unknown): boolean {
  if (typeof value === 'function') return true;
  return isObject(value) && !isPlain(value) && !isDate(value);
}

/** Whether it is a date of any realm. */
function isDate(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Date]';
}

/** Whether it is an AbortSignal, or the controller of one. */
function isSignal(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { abort, signal } = value;
  return isListening(typeof abort === 'function' ? signal : value);
}

function isListening(value: unknown): boolean {
  if (!isObject(value)) return false;
  return typeof value.aborted === 'boolean' && typeof value.addEventListener === 'function';
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether it has fields: a list or bytes may have very many, and tell of no call. */
function isObject(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false;
  return !Array.isArray(value) && !ArrayBuffer.isView(value);
}

function valuesOf(value: unknown): readonly unknown[] {
  return isObject(value) ? Object.values(value) : [];
}

const MARKS: WeakMap<object, string> = new WeakMap();

function sameAsItself(value: object): string {
  const mark = MARKS.get(value) ?? marked(value);
  MARKS.set(value, mark);
  return mark;
}
