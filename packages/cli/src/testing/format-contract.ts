import type { Signal } from '@teamfuse/core';
import { parseSignal } from '@teamfuse/core/kit';
import type { Format } from '../formats/format.ts';
import { BadInputError } from '../input/bad-input-error.ts';
import { openInput } from '../input/input.ts';
import { recognise } from '../read-recordings.ts';

/** A rule that every format keeps, to be run by any test runner. */
export interface FormatCheck {
  /** The rule's ID, such as `FMT1`. */
  readonly id: string;
  readonly title: string;
  /** Rejects when the rule is broken. */
  check(): Promise<void>;
}

/** What to check a format with. */
export interface FormatSamples {
  /** A small input of this format. */
  readonly sample: Uint8Array;
  /** The same conversations with something broken in between. */
  readonly broken: Uint8Array;
  /** The lines of `broken` that are reported. */
  readonly brokenLines: readonly number[];
}

/** What was read of an input. */
interface ReadResult {
  readonly conversations: ReadonlyMap<string, readonly Signal[]>;
  readonly brokenLines: readonly number[];
}

const MUTATIONS = 60;
const ODD_VALUES: readonly unknown[] = [null, 5, 'text', [], {}, [[]], [null], { messages: 5 }];

/**
 * The rules that every format keeps.
 *
 * @example
 * ```ts
 * for (const { check } of formatContract(format, samples)) await check();
 * ```
 */
export function formatContract(format: Format, samples: FormatSamples): readonly FormatCheck[] {
  const { sample, broken, brokenLines } = samples;
  return [
    {
      id: 'FMT1',
      title: 'is recognised by its content alone, and takes no odd value for its own',
      check: async () => {
        const { head } = await openInput('sample', { bytes: chunked(sample), broken: () => {} });
        assert('FMT1', format.recognise(head), 'its sample is not recognised');
        const taken = recognise(head);
        assert('FMT1', format.id === 'mapped' || taken?.id === format.id, `taken for ${taken?.id}`);
        const isOwn = format.recognise({ ...head, text: '', values: ODD_VALUES });
        assert('FMT1', format.id === 'mapped' || !isOwn, 'odd values are recognised');
      },
    },
    {
      id: 'FMT2',
      title: 'gives valid signals in order of time, under an id for each conversation',
      check: async () => {
        const { conversations } = await read(format, sample);
        assert('FMT2', conversations.size > 0, 'no conversation is read');
        for (const [id, signals] of conversations) {
          assert('FMT2', id !== '' && signals.length > 0, `conversation '${id}' is empty`);
          for (const signal of signals) parseSignal(signal);
          const isOrdered = signals.every(({ at }, i) => at >= (signals[i - 1]?.at ?? 0));
          assert('FMT2', isOrdered, `time goes back in '${id}'`);
        }
      },
    },
    {
      id: 'FMT3',
      title: 'reads the same however its bytes arrive',
      check: async () => {
        const whole = JSON.stringify([...(await read(format, sample)).conversations]);
        for (const size of [1, 7, 64, 1000]) {
          const parts = JSON.stringify([...(await read(format, sample, size)).conversations]);
          assert('FMT3', parts === whole, `pieces of ${size} bytes are read differently`);
        }
      },
    },
    {
      id: 'FMT4',
      title: 'reports what is broken with its line, and loses nothing else',
      check: async () => {
        const whole = texts(await read(format, sample));
        const rest = await read(format, broken);
        assert('FMT4', texts(rest) === whole, 'something else is lost');
        assert('FMT4', `${rest.brokenLines}` === `${brokenLines}`, `reported ${rest.brokenLines}`);
      },
    },
    {
      id: 'FMT5',
      title: 'ends with what it can read of damaged bytes, or with BadInputError',
      check: async () => {
        for (let seed = 1; seed <= MUTATIONS; seed++) {
          await read(format, damaged(sample, seed)).catch((error: unknown) => {
            if (!(error instanceof BadInputError)) throw error;
          });
        }
      },
    },
  ];
}

/** Reads all of an input in pieces of some bytes. */
async function read(format: Format, bytes: Uint8Array, size?: number): Promise<ReadResult> {
  const brokenLines: number[] = [];
  const broken = (line: number): number => brokenLines.push(line);
  const input = await openInput('sample', { bytes: chunked(bytes, size), broken });
  const conversations = new Map<string, Signal[]>();
  for await (const { id, signals } of format.read(input)) {
    if (signals.length > 0) conversations.set(id, [...(conversations.get(id) ?? []), ...signals]);
  }
  return { conversations, brokenLines };
}

async function* chunked(bytes: Uint8Array, size = bytes.length): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.subarray(start, start + size);
  }
}

/** What is said and done, whatever the names of the conversations. */
function texts({ conversations }: ReadResult): string {
  const all = [...conversations.values()].map((signals) => signals.map(withoutTime));
  return JSON.stringify(all);
}

function withoutTime({ at: _, ...signal }: Signal): object {
  return signal;
}

/** The bytes with some of them replaced, left out or cut off, the same for the same seed. */
function damaged(bytes: Uint8Array, seed: number): Uint8Array {
  const copy = new Uint8Array(bytes);
  let state = seed * 2_654_435_761;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
  const end = seed % 3 === 0 ? next(copy.length) : copy.length;
  for (let i = 0; i < 1 + (seed % 8); i++) copy[next(copy.length)] = next(256);
  return copy.subarray(0, end);
}

function assert(rule: string, isKept: boolean, problem: string): void {
  if (!isKept) throw new Error(`${rule}: ${problem}`);
}
