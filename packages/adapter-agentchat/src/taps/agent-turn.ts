import {
  type BaseChatMessage,
  type ChatAgent,
  type ChatItem,
  isResponse,
  type Response,
  TextMessage,
} from '@teamfuse/agentchat';
import type { Permit } from '@teamfuse/core';
import { NUDGE_SOURCE } from '../guard/nudges.ts';
import type { Scope, Turn } from '../guard/scope.ts';
import type { Watch } from '../guard/watch.ts';
import type { Tapped } from '../signals/item-reader.ts';

/** What a guard sees of an agent besides its turns. */
export interface AgentCoverage {
  /** Whether the agent's model calls are seen. */
  readonly models: boolean;
  /** Whether the agent's executions are seen. */
  readonly code: boolean;
  /** Names under which handing off is offered to the agent's model. */
  readonly handoffs: readonly string[];
  /** Whether a warning among the messages would be heeded, rather than shown to a person or searched for code. */
  readonly heedsNudges: boolean;
}

/** One agent's turn, from asking for leave to the answer. */
export class AgentTurn implements Turn {
  readonly agent: ChatAgent;
  readonly calls: Set<string> = new Set();
  hasRun = false;
  /** Where the agent works. */
  readonly scope: Scope;
  readonly #watch: Watch;
  readonly #coverage: AgentCoverage;
  readonly #permit: Permit;
  readonly #tapped: Tapped;

  private constructor(watch: Watch, agent: ChatAgent, coverage: AgentCoverage, permit: Permit) {
    const around: Scope = watch.scope ?? looseScope(agent);
    const { tool, ...place } = around;
    this.agent = agent;
    this.scope = { ...place, turn: this, ...(permit.isProbe && { permit }) };
    this.#watch = watch;
    this.#coverage = coverage;
    this.#permit = permit;
    const { models, code, handoffs } = coverage;
    const toolCall: Tapped['toolCall'] = (callId, name) =>
      this.calls.delete(callId) || this.calls.delete(name);
    // An agent that runs code and has no model says nothing but what came of the code.
    const isReport = (): boolean => this.hasRun && !models;
    this.#tapped = { models, code, handoffs, isReport, toolCall };
  }

  /** @throws TrippedError when the turn is refused. */
  static async begin(watch: Watch, agent: ChatAgent, coverage: AgentCoverage): Promise<AgentTurn> {
    const permit = await watch.gatekeeper.ask({ kind: 'turn', ...watch.originOf(agent.name) });
    return new AgentTurn(watch, agent, coverage, permit);
  }

  get name(): string {
    return this.agent.name;
  }

  /** The messages, and a warning for an agent whose model calls are not seen. */
  withNudge(messages: readonly BaseChatMessage[]): readonly BaseChatMessage[] {
    const { models, heedsNudges } = this.#coverage;
    const content = models || !heedsNudges ? undefined : this.#watch.takeNudge();
    if (content === undefined) return messages;
    return [...messages, new TextMessage({ content, source: NUDGE_SOURCE })];
  }

  /** Takes in what the agent yields. With its answer the turn is over. */
  hear(item: ChatItem | Response): void {
    const isAnswer = isResponse(item);
    const items = isAnswer ? [...(item.innerMessages ?? []), item.chatMessage] : [item];
    this.#watch.within(this.scope, () => this.#watch.items(items, this.#tapped));
    if (isAnswer) this.end();
  }

  /** Says that the turn is over. Harmless when said twice. */
  end(): void {
    this.#permit.release();
  }
}

/** Around a turn outside of any run, such as when the agent is asked directly. */
function looseScope({ name }: ChatAgent): Scope {
  return { run: { trip: undefined, isRefused: false }, depth: 0, path: [name] };
}
