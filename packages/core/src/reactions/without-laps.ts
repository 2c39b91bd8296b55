import { hashText } from '../common/hash.ts';

/** A lap has at most this many messages: 21 steps, each with a call and a result, and what is said beside them. */
const MAX_LAP = 64;
/** What tells the same message of two laps apart: names of this call, of this answer, of this moment. */
const OF_THIS_LAP: ReadonlySet<string> = new Set([
  'id',
  'call_id',
  'callId',
  'tool_call_id',
  'toolCallId',
  'tool_use_id',
  'toolUseId',
  'response_metadata',
  'usage_metadata',
  'providerMetadata',
  'providerOptions',
]);

/** What a call is given, and what comes of it: an `id` in there says what it is about. */
const DATA: ReadonlySet<string> = new Set([
  ...['input', 'args', 'arguments', 'output', 'result', 'response'],
]);

/** What a provider writes to know its own thoughts by: another one each time, which names nothing. */
const SEALS: ReadonlySet<string> = new Set(['thoughtSignature', 'thought_signature']);

/** An item of the Responses API that says nothing but which earlier one it stands for. */
const REFERENCE = 'item_reference';

/**
 * The messages of a model call without those that repeat the lap before them to the letter, but for ids: of each loop, the first lap
 * stays. No result loses its call, and no call its result. Returns the same list if there is nothing to leave out.
 */
export function withoutLaps<T>(messages: readonly T[]): readonly T[] {
  const read = messages.map(readMessage);
  const uses = new Map<string, number>();
  for (const id of read.flatMap(({ ids }) => ids)) uses.set(id, (uses.get(id) ?? 0) + 1);
  const kept: T[] = [];
  for (let at = 0; at < messages.length; ) {
    const lap = lapAt(read, uses, at);
    if (lap === 0) kept.push(messages[at] as T);
    at += Math.max(1, lap);
  }
  return kept.length === messages.length ? messages : kept;
}

/** How many messages from `at` on repeat as many before them, and can go without parting a call from its result; 0 if none do. */
function lapAt(read: readonly Read[], uses: ReadonlyMap<string, number>, at: number): number {
  const most = Math.min(MAX_LAP, at, read.length - at);
  for (let lap = 1; lap <= most; lap++) {
    const isAgain = (back: number): boolean => read[at + back]?.key === read[at + back - lap]?.key;
    let same = 0;
    while (same < lap && isAgain(same)) same++;
    if (same < lap) continue;
    const here = read.slice(at, at + lap);
    if (isWhole(here, uses) || hasSameIds(here, read.slice(at - lap, at))) return lap;
  }
  return 0;
}

/** Whether all uses of the ids in these messages are in them. */
function isWhole(lap: readonly Read[], uses: ReadonlyMap<string, number>): boolean {
  const inside = new Map<string, number>();
  for (const id of lap.flatMap(({ ids }) => ids)) inside.set(id, (inside.get(id) ?? 0) + 1);
  return [...inside].every(([id, times]) => uses.get(id) === times);
}

/** Some models number the calls of each answer anew: then one lap is as good as the other. */
function hasSameIds(lap: readonly Read[], before: readonly Read[]): boolean {
  return lap.every(({ ids }, at) => ids.join() === before[at]?.ids.join());
}

interface Read {
  /** Equal for messages that say the same. */
  readonly key: number;
  readonly ids: readonly string[];
}

function readMessage(message: unknown): Read {
  const ids: string[] = [];
  const isReference = Object(message).type === REFERENCE;
  const text = JSON.stringify(message, (field, value: unknown) => {
    if (SEALS.has(field)) return undefined;
    if (DATA.has(field)) return JSON.stringify(value);
    if (isReference || !OF_THIS_LAP.has(field)) return value;
    if (typeof value === 'string') ids.push(value);
    return Array.isArray(value) ? value : undefined;
  });
  return { key: hashText(text ?? ''), ids };
}
