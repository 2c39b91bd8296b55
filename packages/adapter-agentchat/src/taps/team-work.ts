import { randomUUID } from 'node:crypto';
import type { OutermostRun, Scope } from '@teamfuse/adapter-kit';
import { type ChatItem, isTaskResult, type RunOptions, type TaskResult } from '@teamfuse/agentchat';
import type { Permit, RunEnd } from '@teamfuse/core';
import type { Place } from '../guard/place.ts';
import type { TeamContext } from '../guard/team-context.ts';
import { isSaid } from '../signals/item-kinds.ts';
import { lastTextOf } from '../signals/task.ts';
import type { Runner } from './shapes.ts';

/** The work of a team, or of an agent by itself, on one task. */
export interface TeamWork {
  /** The place of the work. */
  readonly scope: Scope<Place>;
  /** Observes an item of the stream. The result ends the work. */
  hear(item: ChatItem | TaskResult): void;
  /** Ends the work. Idempotent. */
  end(): void;
  /** Keeps how an outermost run ended; `error` is what it threw, if it threw anything. */
  record(failure: Pick<RunEnd, 'error'>): Promise<void>;
}

/**
 * Begins the work: the outermost run, or a nested chat inside other work, which has to be admitted.
 *
 * @throws TrippedError when a nested chat is refused.
 * @throws RepeatedFailureError when the latest runs of the task all ended in the same failure.
 */
export async function beginWork(
  context: TeamContext,
  runner: Runner,
  options: RunOptions,
): Promise<TeamWork> {
  const around = context.scope;
  if (around !== undefined) return NestedWork.begin(context, runner, options, around);
  const record = await context.beginRecord();
  return new OutermostWork(context, runner, options, record);
}

class OutermostWork implements TeamWork {
  readonly scope: Scope<Place>;
  readonly #context: TeamContext;
  readonly #run: OutermostRun;
  readonly #signal: AbortSignal | undefined;
  readonly #record: (end: RunEnd) => Promise<void>;
  #hasResult = false;

  constructor(
    context: TeamContext,
    runner: Runner,
    { task, signal }: RunOptions,
    record: (end: RunEnd) => Promise<void>,
  ) {
    this.#context = context;
    this.#signal = signal;
    this.#record = record;
    this.#run = context.openRun();
    this.scope = { run: this.#run, depth: 0, path: [runner.name], local: { runner } };
    context.within(this.scope, () => context.task(task));
  }

  hear(item: ChatItem | TaskResult): void {
    if (isTaskResult(item)) {
      this.#hasResult = true;
      this.end();
    } else this.#context.within(this.scope, () => this.#context.items([item]));
  }

  end(): void {
    this.#context.closeRun(this.#run);
  }

  record(failure: Pick<RunEnd, 'error'>): Promise<void> {
    // Nobody reads on to the result of a stream that was left.
    const isLeft = !this.#hasResult && !('error' in failure);
    const isGivenUp = isLeft || this.#signal?.aborted === true;
    return this.#record({ ...failure, trip: this.#run.trip, isGivenUp });
  }
}

class NestedWork implements TeamWork {
  readonly scope: Scope<Place>;
  readonly #context: TeamContext;
  readonly #runner: Runner;
  /** The permit of the turn that the work is, if it is one. */
  readonly #permit: Permit | undefined;
  readonly #chatId: string;
  #lastText: string | undefined;
  #isOver = false;

  private constructor(
    context: TeamContext,
    runner: Runner,
    around: Scope<Place>,
    permit: Permit | undefined,
  ) {
    const { run, depth, path } = around;
    const within = permit?.isProbe === true ? permit : around.permit;
    this.scope = {
      run,
      depth: depth + 1,
      path: [...path, runner.name],
      local: { runner },
      ...(within && { permit: within }),
    };
    this.#context = context;
    this.#runner = runner;
    this.#permit = permit;
    this.#chatId = `${runner.name}#${randomUUID()}`;
  }

  /**
   * Asks for the work. A team that takes part in another one takes a turn with its work, and asks for both.
   *
   * @throws TrippedError when one of them is refused.
   */
  static async begin(
    context: TeamContext,
    runner: Runner,
    { task, outputTaskMessages = true }: RunOptions,
    around: Scope<Place>,
  ): Promise<NestedWork> {
    const isTurn = around.local?.turn === undefined;
    const permit = isTurn
      ? await context.admit({ kind: 'turn', ...context.originOf(runner.name) })
      : undefined;
    const work = new NestedWork(context, runner, around, permit);
    try {
      await work.#ask(around, lastTextOf(task));
    } catch (error) {
      permit?.release();
      throw error;
    }
    context.knownTask(task, outputTaskMessages);
    return work;
  }

  hear(item: ChatItem | TaskResult): void {
    const context = this.#context;
    if (isTaskResult(item)) {
      this.end();
      return;
    }
    if (isSaid(item)) this.#lastText = context.attempt('observe', () => item.toText());
    context.within(this.scope, () => context.items([item]));
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const context = this.#context;
    const { depth, path } = this.scope;
    context.within(this.scope, () =>
      context.observe({
        kind: 'nested-end',
        at: context.breaker.now(),
        agent: this.#runner.name,
        chatId: this.#chatId,
        depth,
        path,
        ...(this.#lastText !== undefined && { text: this.#lastText }),
      }),
    );
    this.#permit?.release();
  }

  async record(): Promise<void> {}

  async #ask(around: Scope<Place>, text: string | undefined): Promise<void> {
    const context = this.#context;
    const { turn, tool } = around.local ?? {};
    const agent = turn?.name ?? this.#runner.name;
    const { depth, path, permit } = this.scope;
    await context.within(permit === undefined ? around : { ...around, permit }, () =>
      context.admit({
        kind: 'nested-start',
        at: context.breaker.now(),
        agent,
        chatId: this.#chatId,
        depth,
        path,
        trigger: tool === undefined ? `agent:${agent}` : `tool:${tool}`,
        ...(text !== undefined && { text }),
      }),
    );
  }
}
