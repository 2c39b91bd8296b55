import { type AgentWork, beginAgent, beginNested, type Scope } from '@teamfuse/adapter-kit';
import type { Context, Local } from './context.ts';

/** Where something happens in a run: in a graph, in a node of one, or in whatever a node calls. */
export interface Place {
  readonly scope: Scope<Local>;
  readonly agent: string;
  /** The place around. */
  readonly around: Place | undefined;
  /** Whether a model has answered here, whose text is reported. */
  hasSpoken: boolean;
}

/** The name of a graph that was given none. */
const NAMELESS = 'LangGraph';

/** Nodes that are steps of one agent, and not agents. */
const PART =
  /^(model_request|tools|agent|generate_structured_response|pre_model_hook|post_model_hook|.+\.(before|after)_(agent|model))$/;

/** Whether a node is a step of an agent. */
export function isPartOfAgent(node: string): boolean {
  return PART.test(node);
}

/**
 * A graph at work. Its first node tells what it is: the graph of one agent, which takes a turn, or a team whose nodes take turns.
 */
export class GraphPlace implements Place {
  readonly around: Place | undefined;
  readonly agent: string;
  hasSpoken = false;
  readonly #context: Context;
  readonly #outer: Scope<Local>;
  #begun: Promise<AgentWork<Local>> | undefined;
  #scope: Scope<Local> | undefined;

  constructor(context: Context, outer: Scope<Local>, name: string, around?: Place) {
    this.#context = context;
    this.#outer = outer;
    this.around = around;
    this.agent = name !== '' && name !== NAMELESS ? name : (around?.agent ?? 'agent');
  }

  get scope(): Scope<Local> {
    return this.#scope ?? this.#outer;
  }

  /** Begins the work, once. @throws TrippedError when it is refused. */
  async begin(isOfAgent: boolean): Promise<Scope<Local>> {
    this.#begun ??= this.#begin(isOfAgent);
    this.#scope = (await this.#begun).scope;
    return this.#scope;
  }

  /** Reports the end. */
  async end(text?: string): Promise<void> {
    const work = await this.#begun?.catch(() => undefined);
    await work?.end({ text });
  }

  async #begin(isOfAgent: boolean): Promise<AgentWork<Local>> {
    const { agent } = this;
    const { tool, agent: by } = this.#outer;
    // The turn of a node that does nothing but let an agent work is the turn of that agent.
    const isKnown = isOfAgent ? by !== undefined && tool === undefined : this.around === undefined;
    if (isKnown) return { scope: this.#outer, end: () => {} };
    return this.#context.within(this.#outer, () =>
      isOfAgent ? beginAgent(this.#context, { agent }) : beginNested(this.#context, { agent }),
    );
  }
}
