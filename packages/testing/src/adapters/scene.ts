import type { Guard, GuardOptions, GuardProblem } from '@teamfuse/adapter-kit';
import { Breaker, type BreakerOptions, type Signal } from '@teamfuse/core';
import type { SignalKind } from '@teamfuse/core/kit';
import { ALARM_REASON } from './alarm.ts';
import { equal, fail } from './expect.ts';
import type { AdapterHarness, ContractTeam, RunEnd } from './harness.ts';
import type { TeamScript } from './script.ts';
import { Stage } from './stage.ts';

/** No run of the contract takes longer than this unless something hangs. */
const MAX_RUN_MS = 8000;

const TASK = 'Please begin.';

/** How a run ended; `error` is there if it failed. */
export interface Ending extends RunEnd {
  readonly error?: unknown;
}

/** Options of a {@link Scene}. */
export interface SceneOptions {
  /** Options of a breaker for the scene alone, or a breaker. */
  readonly breaker?: BreakerOptions | Breaker;
  readonly guard?: GuardOptions;
}

/** One scripted team under a guard. */
export class Scene {
  readonly stage: Stage;
  readonly team: ContractTeam;
  readonly breaker: Breaker;
  readonly guard: Guard;
  /** The signals of all conversations of the breaker. */
  readonly signals: Signal[] = [];
  /** The errors that `onError` received. */
  readonly problems: GuardProblem[] = [];

  constructor(harness: AdapterHarness, script: TeamScript, options: SceneOptions = {}) {
    const { breaker = {}, guard = {} } = options;
    this.stage = new Stage(script);
    this.team = harness.build(script, this.stage);
    this.breaker = breaker instanceof Breaker ? breaker : new Breaker(breaker);
    this.breaker.on('signal', ({ signal }) => this.signals.push(signal));
    const onError = (problem: GuardProblem): unknown => this.problems.push(problem);
    this.guard = this.team.guard(this.breaker, { onError, ...guard });
  }

  run({ task = TASK, signal }: { task?: string; signal?: AbortSignal } = {}): Promise<Ending> {
    return ending(this.team.run(task, signal === undefined ? {} : { signal }));
  }

  /** The signals of one kind. */
  ofKind<K extends SignalKind>(kind: K): readonly Extract<Signal, { readonly kind: K }>[] {
    return this.signals.filter(
      (signal): signal is Extract<Signal, { readonly kind: K }> => signal.kind === kind,
    );
  }

  /** Fails unless exactly this has begun. */
  expectBegun(...entries: readonly string[]): void {
    equal(this.stage.journal, entries, 'what began');
  }

  /** Fails unless the run was stopped by the contract's detector, or for another reason. */
  expectStopped(end: Ending, reason: string = ALARM_REASON): void {
    expectEnded(end);
    if (end.stopReason !== undefined) equal(end.stopReason, reason, 'the stop reason');
    equal(this.guard.trip?.reason, reason, 'the reason of guard.trip');
  }
}

/** Runs a team without a guard, and says how it ended and what began. */
export async function runUnguarded(
  harness: AdapterHarness,
  script: TeamScript,
): Promise<{ readonly end: Ending; readonly stage: Stage }> {
  const stage = new Stage(script);
  return { end: await ending(harness.build(script, stage).run(TASK, {})), stage };
}

/** Fails if a run failed. */
export function expectEnded({ error }: Ending): void {
  if (error !== undefined) fail(`the run failed with ${String(error)}`);
}

/** Fails unless all these texts are in the result, in this order. */
export function expectKept({ texts }: Ending, ...lines: readonly string[]): void {
  const kept = texts.filter((text) => lines.includes(text));
  equal(kept, lines, `the texts of the result, ${JSON.stringify(texts)}, as far as they were said`);
}

async function ending(run: Promise<RunEnd>): Promise<Ending> {
  try {
    return await inTime(run, 'the run');
  } catch (error) {
    return { texts: [], stopReason: undefined, error };
  }
}

/** Waits for something that has to come; a wait that does not end is a violation, not a hanging test. */
export async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what} did not end within ${MAX_RUN_MS} ms`)),
      MAX_RUN_MS,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
