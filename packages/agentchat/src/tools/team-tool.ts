import type { Team } from '../base/team.ts';
import { TaskRunnerTool } from './task-runner-tool.ts';

/** Options of {@link TeamTool}. */
export interface TeamToolOptions {
  /** What the model calls it. */
  readonly name: string;
  /** What the model is told the team does. */
  readonly description: string;
  /**
   * Whether the model gets only the text of the last message instead of everything that was said.
   * @defaultValue false
   */
  readonly returnValueAsLastMessage?: boolean;
}

/** Lets a model put tasks to a team. A team runs one task at a time, so a second call meanwhile fails. */
export class TeamTool extends TaskRunnerTool {
  readonly team: Team;

  constructor(
    team: Team,
    { name, description, returnValueAsLastMessage = false }: TeamToolOptions,
  ) {
    super({ runner: team, name, description, returnValueAsLastMessage });
    this.team = team;
  }
}
