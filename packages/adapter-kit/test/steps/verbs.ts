import { Breaker, type Signal } from '@teamfuse/core';
import { FakeClock } from '@teamfuse/testing';
import * as kit from '../../src/index.ts';
import { callModel, callTool, runCode, runNested, takeTurn } from '../support/steps.ts';

/** A guard's context and everything that it reports. */
export interface Scenery {
  readonly breaker: Breaker;
  readonly context: kit.GuardContext<string>;
  readonly signals: readonly Signal[];
  readonly problems: readonly unknown[];
  /** Work that takes 7 ms. */
  taking<T>(value: T): () => Promise<T>;
  /** Does work inside a run, at a place with the part `around`. */
  inside<T>(work: () => T): T;
}

export function setUp(options: kit.GuardOptions = {}): Scenery {
  const clock = new FakeClock(1_000);
  const breaker = new Breaker({ now: clock.now });
  const signals: Signal[] = [];
  const problems: unknown[] = [];
  breaker.on('signal', ({ signal }) => signals.push(signal));
  const onError = ({ error }: kit.GuardProblem): unknown => problems.push(error);
  const context = new kit.GuardContext<string>(breaker, { onError, ...options });
  const taking =
    <T>(value: T) =>
    async (): Promise<T> => {
      clock.advance(7);
      return value;
    };
  const run = context.openRun();
  const inside = <T>(work: () => T): T =>
    context.within({ run, depth: 0, path: ['crew'], local: 'around' }, work);
  return { breaker, context, signals, problems, taking, inside };
}

type Context = kit.GuardContext<string>;
type Work = (signal?: AbortSignal) => Promise<string>;
type Verb = (context: Context, work: Work, signal?: AbortSignal) => Promise<string>;

const BLOCK = { language: 'sh', code: 'ls' };

/** All steps with the request that each makes. */
export const VERBS: readonly (readonly [name: string, request: object, verb: Verb])[] = [
  [
    'takeTurn',
    { kind: 'turn', agent: 'ann', at: 1_000 },
    (context, work) =>
      takeTurn(context, { agent: 'ann', work, said: (text) => text, rehearsed: '' }),
  ],
  [
    'callModel',
    { kind: 'model-request', agent: 'ann', model: 'm' },
    (context, work, signal) =>
      callModel(context, {
        agent: 'ann',
        model: 'm',
        work,
        signal,
        usageOf: () => undefined,
      }),
  ],
  [
    'callTool',
    { kind: 'tool-call', agent: 'ann', tool: 'look', args: { at: 'sky' } },
    (context, work, signal) =>
      callTool(context, { agent: 'ann', tool: 'look', args: { at: 'sky' }, work, signal }),
  ],
  [
    'runCode',
    { kind: 'execution', agent: 'ann', ...BLOCK },
    (context, work, signal) =>
      runCode(context, {
        agent: 'ann',
        block: BLOCK,
        work,
        signal,
        resultOf: (output) => ({ exitCode: 0, output }),
      }),
  ],
  [
    'runNested',
    { kind: 'nested-start', agent: 'ann', trigger: 'agent:ann', depth: 1 },
    (context, work) => runNested(context, { name: 'inner', agent: 'ann', work }),
  ],
];
