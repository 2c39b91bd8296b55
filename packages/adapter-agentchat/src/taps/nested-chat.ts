import { randomUUID } from 'node:crypto';
import { type ChatItem, isTaskResult, type RunOptions, type TaskResult } from '@teamfuse/agentchat';
import type { Permit } from '@teamfuse/core';
import type { Scope } from '../guard/scope.ts';
import type { Watch } from '../guard/watch.ts';
import { isSaid } from '../signals/item-kinds.ts';
import { lastTextOf } from '../signals/task.ts';
import type { Conversation, Runner } from './conversation.ts';

/** The work of a team or an agent inside of other work. */
export class NestedChat implements Conversation {
  readonly scope: Scope;
  readonly #watch: Watch;
  readonly #runner: Runner;
  /** Leave for the turn that the work is, where it is one. */
  readonly #permit: Permit | undefined;
  readonly #chatId: string;
  #lastText: string | undefined;
  #isOver = false;

  private constructor(watch: Watch, runner: Runner, around: Scope, permit: Permit | undefined) {
    const { run, depth, path } = around;
    const within = permit?.isProbe === true ? permit : around.permit;
    const place = { run, runner, depth: depth + 1, path: [...path, runner.name] };
    this.scope = within === undefined ? place : { ...place, permit: within };
    this.#watch = watch;
    this.#runner = runner;
    this.#permit = permit;
    this.#chatId = `${runner.name}#${randomUUID()}`;
  }

  /**
   * Asks for leave. A team that takes part in another one takes a turn with its work, and asks for both.
   *
   * @throws TrippedError when one of them is refused.
   */
  static async begin(
    watch: Watch,
    runner: Runner,
    { task, outputTaskMessages = true }: RunOptions,
    around: Scope,
  ): Promise<NestedChat> {
    const isTurn = around.turn === undefined;
    const permit = isTurn
      ? await watch.gatekeeper.ask({ kind: 'turn', ...watch.originOf(runner.name) })
      : undefined;
    const chat = new NestedChat(watch, runner, around, permit);
    try {
      await chat.#ask(around, lastTextOf(task));
    } catch (error) {
      permit?.release();
      throw error;
    }
    watch.observer.knownTask(task, outputTaskMessages);
    return chat;
  }

  hear(item: ChatItem | TaskResult): void {
    if (isTaskResult(item)) {
      this.end();
      return;
    }
    if (isSaid(item)) this.#lastText = this.#watch.observer.attempt(() => item.toText());
    this.#watch.within(this.scope, () => this.#watch.items([item]));
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { depth, path } = this.scope;
    this.#watch.observer.signal({
      kind: 'nested-end',
      at: this.#watch.breaker.now(),
      agent: this.#runner.name,
      chatId: this.#chatId,
      depth,
      path,
      ...(this.#lastText !== undefined && { text: this.#lastText }),
    });
    this.#permit?.release();
  }

  async #ask(around: Scope, text: string | undefined): Promise<void> {
    const watch = this.#watch;
    const agent = around.turn?.name ?? this.#runner.name;
    const { depth, path, permit } = this.scope;
    await watch.within(permit === undefined ? around : { ...around, permit }, () =>
      watch.gatekeeper.ask({
        kind: 'nested-start',
        at: watch.breaker.now(),
        agent,
        chatId: this.#chatId,
        depth,
        path,
        trigger: around.tool === undefined ? `agent:${agent}` : `tool:${around.tool}`,
        ...(text !== undefined && { text }),
      }),
    );
  }
}
