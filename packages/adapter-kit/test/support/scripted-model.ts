import { setImmediate } from 'node:timers/promises';
import type { Breaker } from '@teamfuse/core';
import type { Confirmation } from '@teamfuse/core/kit';
import type { TeamModel } from '../../src/index.ts';

/** A chat completion client as a judge asks it. */
export interface ScriptedClient {
  readonly model: string;
  create(
    messages: readonly { readonly content: string }[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<{
    readonly content: string;
    readonly usage: { readonly promptTokens: number; readonly completionTokens: number };
  }>;
}

/** A model of a team, its client, and the prompts that it got. */
export interface ScriptedModel {
  readonly calls: readonly (readonly string[])[];
  readonly client: ScriptedClient;
  readonly model: TeamModel;
}

/** A model that answers every question in the same way. */
export function scriptedModel(answer: Confirmation, name = 'gpt-4o-mini'): ScriptedModel {
  const calls: (readonly string[])[] = [];
  const client: ScriptedClient = {
    model: name,
    async create(messages) {
      calls.push(messages.map(({ content }) => content));
      const usage = { promptTokens: 1000, completionTokens: 100 };
      return { content: JSON.stringify(answer), usage };
    },
  };
  const model: TeamModel = { client, agent: 'writer' };
  return { calls, client, model };
}

/** Two say the same in turn, and whoever is asked about it has time to answer. */
export async function stall(breaker: Breaker, turns = 12): Promise<void> {
  for (let i = 0; i < turns; i++) {
    const agent = 'ab'.charAt(i % 2);
    breaker.observe({ kind: 'message', at: 0, agent, text: 'Let us see, shall we?' });
    await setImmediate();
  }
}
