import type { BaseGroupChat, ChatAgent, JsonObject, TaskRunner } from '@teamfuse/agentchat';

/** What a case is about. */
export type Subject =
  | { readonly kind: 'team'; readonly team: BaseGroupChat }
  | { readonly kind: 'agent'; readonly agent: ChatAgent };

/** What can be given a task. */
export function runnerOf(subject: Subject): TaskRunner {
  return subject.kind === 'team' ? subject.team : subject.agent;
}

/** What has a state. */
export function statefulOf(subject: Subject): {
  saveState(): Promise<JsonObject>;
  loadState(state: JsonObject): Promise<void>;
} {
  return subject.kind === 'team' ? subject.team : subject.agent;
}

/** Makes the subject forget everything. */
export async function reset(subject: Subject): Promise<void> {
  await (subject.kind === 'team' ? subject.team.reset() : subject.agent.onReset());
}

/** The team of a case that is about one. */
export function teamOf(subject: Subject): BaseGroupChat {
  if (subject.kind === 'team') return subject.team;
  throw new Error('the case is not about a team');
}
