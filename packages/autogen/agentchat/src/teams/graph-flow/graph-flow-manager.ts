import { z } from 'zod';
import { ValueError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { validate } from '../../base/validate.ts';
import type { StopMessage } from '../../messages/chat/stop-message.ts';
import { type ChatItem, isChatMessage } from '../../messages/chat-item.ts';
import {
  GroupChatManager,
  type ManagerSetup,
  type RunContext,
  type Step,
} from '../group-chat-manager.ts';
import type { DiGraph } from './di-graph.ts';
import { GraphProgress } from './progress.ts';
import { validateGraph } from './validate.ts';

const stateJson = z.object({
  remaining: z.record(z.string(), z.record(z.string(), z.int())),
  enqueued_any: z.record(z.string(), z.record(z.string(), z.boolean())),
  ready: z.array(z.string()),
});

/** Leads a team along a graph: all ready nodes speak at the same time. */
export class GraphFlowManager extends GroupChatManager {
  readonly #progress: GraphProgress;
  readonly #judgesAllBranches: boolean;
  /** Items of the current turn, for `judgesAllBranches`. */
  #unjudged: ChatItem[] = [];

  constructor(setup: ManagerSetup, graph: DiGraph, judgesAllBranches: boolean) {
    super(setup);
    const { hasCycle } = validateGraph(graph);
    if (hasCycle && setup.condition === null && setup.maxTurns === null) {
      throw new ValueError(
        'A termination condition is required for cyclic graphs without a maximum turn limit.',
      );
    }
    this.#progress = new GraphProgress(graph);
    this.#judgesAllBranches = judgesAllBranches;
  }

  override async record(delta: readonly ChatItem[], isWhole = true): Promise<void> {
    await super.record(delta);
    this.#unjudged.push(...delta);
    const last = delta.at(-1);
    if (isWhole && isChatMessage(last)) this.#progress.advance(last);
  }

  /** Ends the run when no node is ready, without asking the condition, as upstream does. */
  override async judge(delta: readonly ChatItem[], turns: number): Promise<StopMessage | null> {
    const unjudged = this.#judgesAllBranches ? this.#unjudged : delta;
    this.#unjudged = [];
    if (turns > 0) this.#progress.settle();
    const isComplete = !this.#progress.hasReady;
    if (isComplete && !this.#judgesAllBranches) return this.#complete();
    const stop = await super.judge(unjudged, turns);
    return stop === null && isComplete ? this.#complete() : stop;
  }

  override async advance(context: RunContext): Promise<Step> {
    if (this.#progress.hasReady || this.isTurnKept) return super.advance(context);
    return { kind: 'stop', message: await this.#complete() };
  }

  override async reset(): Promise<void> {
    await super.reset();
    this.#progress.reset();
    this.#unjudged = [];
  }

  override async saveState(): Promise<JsonObject> {
    const { version, ...common } = await super.saveState();
    return { ...common, ...this.#progress.save() };
  }

  override async loadState(state: JsonObject): Promise<void> {
    const progress = validate(stateJson, state, 'GraphFlowManagerState');
    await super.loadState(state);
    this.#progress.load(progress);
  }

  protected selectSpeakers(): readonly string[] {
    return this.#progress.takeReady();
  }

  async #complete(): Promise<StopMessage> {
    this.#progress.reset();
    return this.stop(this.stopMessage('Digraph execution is complete'));
  }
}
