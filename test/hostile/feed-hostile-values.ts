import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { types } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { BREAKER_OPTIONS } from '../../packages/core/src/breaker/breaker-options.ts';
import type { AnyTable } from '../../packages/core/src/common/option-table.ts';
import * as core from '../../packages/core/src/index.ts';
import { SIGNAL_FIELDS } from '../../packages/core/src/signal/signal-fields.ts';
import { generateSignals } from '../../packages/testing/src/index.ts';
import { FITTING, OWN_FUNCTIONS } from './fitting-arguments.ts';
import { type Hostile, hostileValues } from './hostile-values.ts';
import { EXEMPT, INTERNAL_ARGUMENTS, PROGRAMS } from './not-for-strangers.ts';
import { type Callable, publishedExports } from './published-exports.ts';

const MAX_MESSAGE = 1000;
/** How long a call may take to fail that reads or writes files. */
const PATIENCE_MS = 50;
const now = (): number => 0;
const { callables, errors } = await publishedExports(PROGRAMS);

export { callables };

export const fullName = (one: Callable): string => `${one.package} ${one.name}`;
export const rowOf = (one: Callable): (() => readonly unknown[]) | undefined =>
  FITTING[one.package]?.[one.name];
const isExempt = (one: Callable): boolean => EXEMPT.some(([names]) => names.test(fullName(one)));
/** What takes nothing cannot be given anything hostile. */
export const fed = callables.filter((one) => one.parameters > 0 && !isExempt(one));

/** What an error has against it: that it is none of ours, or too long. */
function fault(error: unknown): string | undefined {
  if (!errors.some((type) => error instanceof type)) return `untyped: ${Object(error).stack}`;
  const { message } = error as Error;
  return message.length > MAX_MESSAGE ? `too long: ${message.length} characters` : undefined;
}

async function faultOf(call: () => unknown, patienceMs = 0): Promise<string | undefined> {
  try {
    const pending = settled(call());
    if (pending === undefined) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    });
    await Promise.race([pending, late]).finally(() => clearTimeout(timer));
    return undefined;
  } catch (error) {
    return fault(error);
  }
}

/** What has to be waited for: a promise, or the first item of a stream. Some results are the hostile value itself. */
function settled(result: unknown): PromiseLike<unknown> | undefined {
  if (types.isProxy(result)) return undefined;
  if (types.isPromise(result)) return result;
  const isStream = Object.prototype.toString.call(result) === '[object AsyncGenerator]';
  return isStream ? (result as AsyncGenerator).next() : undefined;
}

/** The options within an option that is a table. */
function innerNames(path: readonly string[]): readonly string[] {
  let table: AnyTable = BREAKER_OPTIONS;
  for (const name of path) {
    const spec = table[name];
    if (spec?.type !== 'table' && spec?.type !== 'judge') return [];
    table = spec.of;
  }
  return Object.keys(table);
}

/** Without a function that answers, an object is no judge at all. */
const BESIDE: Readonly<Record<string, object>> = { judge: { confirm: () => ({}) } };

function optionsAt(path: readonly string[], value: unknown): core.BreakerOptions {
  const [first = '', ...rest] = path;
  const inner = rest.reduceRight((held: unknown, key) => ({ [key]: held }), value);
  return { [first]: rest.length > 0 ? { ...BESIDE[first], ...(inner as object) } : inner };
}

/** An option, and all options within it. */
export function pathsFrom(path: readonly string[]): readonly (readonly string[])[] {
  return [path, ...innerNames(path).flatMap((name) => pathsFrom([...path, name]))];
}

/** Feeds all that takes input with hostile values, each place with another one in so many of them. */
export function feedHostileValues(every: number): void {
  let turn = 0;
  const chosen = (): readonly Hostile[] => {
    turn++;
    return hostileValues().filter((_, i) => (i + turn) % every === 0);
  };

  beforeAll(() => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  });
  afterAll(() => void vi.restoreAllMocks());

  describe('what takes input', () => {
    const before = process.cwd();
    let directory: string;

    // Some texts are taken for the names of files.
    beforeAll(() => {
      directory = mkdtempSync(join(tmpdir(), 'teamfuse-hostile-'));
      process.chdir(directory);
    });

    afterAll(() => {
      process.chdir(before);
      rmSync(directory, { recursive: true });
    });

    it.each(fed.map((one) => [fullName(one), one] as const))(
      '[HOUSE6] %s takes hostile values or refuses them by type',
      async (name, one) => {
        const args = rowOf(one)?.() ?? [];
        expect(args, 'one argument for each parameter').toHaveLength(one.parameters);
        const own = FITTING[one.package]?.[one.name.split('.')[0] ?? '']?.() ?? [];
        const faults: string[] = [];
        for (const place of args.keys()) {
          if (INTERNAL_ARGUMENTS.test(`${name} #${place}`)) continue;
          const isOwn = OWN_FUNCTIONS.includes(`${name} #${place}`);
          for (const [hostile, value] of chosen()) {
            if (isOwn && typeof value === 'function') continue;
            const given = args.with(place, value);
            const found = await faultOf(() => one.call(given, own), PATIENCE_MS);
            if (found !== undefined) faults.push(`argument ${place}, ${hostile}: ${found}`);
          }
        }
        expect(faults).toEqual([]);
      },
    );
  });

  describe('the options of a breaker', () => {
    it.each(Object.keys(BREAKER_OPTIONS))(
      '[HOUSE7] takes %s or refuses it by type',
      async (name) => {
        const faults: string[] = [];
        for (const path of pathsFrom([name])) {
          for (const [hostile, value] of chosen()) {
            const found = await faultOf(() => new core.Breaker(optionsAt(path, value)));
            if (found !== undefined) faults.push(`${path.join('.')}, ${hostile}: ${found}`);
          }
        }
        expect(faults).toEqual([]);
      },
    );
  });

  describe('the fields of signals', () => {
    it.each([...SIGNAL_FIELDS])(
      '[HOUSE8] of kind %s are taken or refused by type',
      async (kind, fields) => {
        const valid = generateSignals(1, 300).find((signal) => signal.kind === kind);
        const faults: string[] = [];
        for (const { name } of fields) {
          for (const [hostile, value] of chosen()) {
            const signal = { ...valid, [name]: value } as unknown as core.Signal;
            const breaker = new core.Breaker({ now });
            const calls = [
              () => breaker.observe(signal),
              () => breaker.admit(signal as core.RequestInput),
              () => breaker.snapshot(),
            ];
            for (const call of calls) {
              const found = await faultOf(call);
              if (found !== undefined) faults.push(`${name}, ${hostile}: ${found}`);
            }
          }
        }
        expect(faults).toEqual([]);
      },
    );
  });
}
