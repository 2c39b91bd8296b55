import { type AgentWork, beginAgent } from '@teamfuse/adapter-kit';
import { BoundedMap } from '@teamfuse/core/kit';
import type { Context, Local } from './context.ts';
import { conversationOf } from './graph-run.ts';
import type { Runtime } from './shapes.ts';

/** As many threads as may be at work: nobody tells of the end of a run that failed. */
const MAX_THREADS = 1000;

/** The runs of the agents that have one middleware. All hooks of a run have the same writer. */
export class AgentRuns {
  readonly #context: Context;
  readonly #agent: string;
  readonly #works: WeakMap<object, Promise<AgentWork<Local>>> = new WeakMap();
  /** A thread has one run at a time: its next one ends one that has failed, or waits for a person. */
  readonly #ofThread: BoundedMap<string, AgentWork<Local>> = new BoundedMap(MAX_THREADS);
  readonly #gone: FinalizationRegistry<AgentWork<Local>> = new FinalizationRegistry((work) =>
    this.#context.inBackground('observe', () => work.end({ isLeft: true })),
  );

  constructor(context: Context, agent: string) {
    this.#context = context;
    this.#agent = agent;
  }

  /** The run that a hook belongs to, which begins with its first hook. @throws TrippedError when it is refused. */
  of(runtime: Runtime, task?: string): Promise<AgentWork<Local>> {
    const key = keyOf(runtime);
    const known = this.#works.get(key);
    if (known !== undefined) return known;
    const begun = this.#begin(runtime, task);
    this.#works.set(key, begun);
    return begun;
  }

  /** Ends a run. Idempotent. */
  async end(runtime: Runtime): Promise<void> {
    const key = keyOf(runtime);
    const work = await this.#works.get(key);
    this.#works.delete(key);
    await work?.end();
  }

  async #begin(runtime: Runtime, task: string | undefined): Promise<AgentWork<Local>> {
    const { configurable, signal } = runtime;
    const { scope, conversationName } = this.#context;
    // The callbacks of a guarded graph hear everything.
    if (scope?.local?.isHeard) return { scope, end: () => {} };
    const conversation = conversationOf(conversationName, configurable?.thread_id);
    const isOutermost = scope === undefined;
    if (isOutermost && conversation !== undefined) await this.#ofThread.get(conversation)?.end();
    const info = { agent: this.#agent, task, signal, conversation };
    const work = await beginAgent<Local>(this.#context, info);
    this.#gone.register(keyOf(runtime), work);
    if (isOutermost && conversation !== undefined) this.#ofThread.set(conversation, work);
    return work;
  }
}

function keyOf(runtime: Runtime): object {
  return runtime.writer ?? runtime;
}
