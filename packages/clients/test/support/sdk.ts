import type { Client } from '../../../wire/test/support/agents.ts';

/** What an agent is given to do, in the hands of an SDK. */
export interface Job {
  readonly task: string;
  /** Its one tool, `search`. */
  readonly search: (args: { readonly query: string; readonly page?: number | null }) => string;
  readonly signal?: AbortSignal;
}

/** An SDK with an API and a form of answers: its own loop of an agent with a tool. Resolves to what the agent says in the end. */
export type SdkAgent = (client: Client, job: Job) => Promise<string>;

export const OPENAI_MODEL = 'gpt-4o-mini';
export const ANTHROPIC_MODEL = 'claude-3-5-haiku-latest';
export const SYSTEM = 'You look things up.';
export const MAX_ROUNDS = 30;
