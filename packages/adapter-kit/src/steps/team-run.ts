import type { Trip } from '@teamfuse/core';
import type { RunEnd } from '@teamfuse/stores/history';
import type { GuardContext } from '../context/guard-context.ts';
import type { OpenRunOptions, OutermostRun } from '../context/run.ts';
import type { Run, Scope } from '../context/scope.ts';
import { tripIn } from '../context/trip-in.ts';

/** A team, or an agent by itself, with a task. */
export interface TeamInfo<L> extends OpenRunOptions {
  readonly name: string;
  /** The task, if it is a text. */
  readonly task?: string | undefined;
  /** The caller's signal: an error after it has aborted is the caller's doing, and reaches the caller. */
  readonly signal?: AbortSignal | undefined;
  /** The part of the place inside that belongs to the adapter. */
  readonly local?: L;
}

/** The outermost run of a team, from its beginning to the record of how it ended. */
export class TeamRun<L> {
  readonly scope: Scope<L>;
  readonly #context: GuardContext<L>;
  readonly #run: OutermostRun;
  readonly #signal: AbortSignal | undefined;
  readonly #record: (end: RunEnd) => Promise<void>;
  #failure: Pick<RunEnd, 'error'> = {};

  private constructor(
    context: GuardContext<L>,
    { name, signal, local, ...options }: TeamInfo<L>,
    record: (end: RunEnd) => Promise<void>,
  ) {
    this.#context = context;
    this.#signal = signal;
    this.#record = record;
    this.#run = context.openRun(options);
    const own = local !== undefined && { local };
    this.scope = { run: this.#run, depth: 0, path: [name], ...own };
  }

  /** @throws RepeatedFailureError when the latest runs of the task all ended in the same failure. */
  static async begin<L>(context: GuardContext<L>, team: TeamInfo<L>): Promise<TeamRun<L>> {
    return new TeamRun(context, team, await context.beginRecord());
  }

  /** The run has ended with an error. Returns the trip behind it; `undefined` if the guard did not cause it. */
  failed(error: unknown): Trip | undefined {
    this.#failure = { error };
    return stopOf(this.#run, error, this.#signal);
  }

  /** Frees its conversation. Idempotent. */
  end(): void {
    this.#context.closeRun(this.#run);
  }

  /** Ends the run and records how; `isLeft` says that its reader left before the result. */
  async close({ isLeft = false }: { readonly isLeft?: boolean } = {}): Promise<void> {
    this.end();
    const isGivenUp = this.#signal?.aborted === true || (isLeft && !('error' in this.#failure));
    await this.#record({ ...this.#failure, trip: this.#run.trip, isGivenUp });
  }
}

/**
 * The trip that ended a run with an error; `undefined` if the run failed, or the caller cancelled it.
 *
 * A framework may wrap a refusal in its own error: then a refused step in the run shows that the trip ended it.
 */
export function stopOf(
  run: Run,
  error: unknown,
  signal: AbortSignal | undefined,
): Trip | undefined {
  if (signal?.aborted === true) return undefined;
  return tripIn(error) ?? (run.isRefused ? run.trip : undefined);
}
