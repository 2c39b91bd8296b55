import type { ChatAgent } from './chat-agent.ts';
import type { JsonObject } from './json.ts';
import type { TaskRunner } from './task-runner.ts';

/** Participants who work on a task together. */
export interface Team extends TaskRunner {
  readonly name: string;
  readonly description: string;
  readonly participants: readonly Participant[];
  /** Resets the team and its participants. */
  reset(): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  saveState(): Promise<JsonObject>;
  loadState(state: JsonObject): Promise<void>;
}

/** A member of a team: an agent or an inner team. */
export type Participant = ChatAgent | Team;

/** Whether a participant is a team. */
export function isTeam(participant: Participant): participant is Team {
  return 'participants' in participant;
}
