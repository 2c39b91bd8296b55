import { z } from 'zod';
import { knownOptions } from '../base/options.ts';
import type { Team } from '../base/team.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import {
  type Component,
  type ComponentModel,
  componentJson,
  componentModel,
} from '../component/component-model.ts';
import { dumpOf } from '../component/dump-of.ts';
import { A_TEAM } from '../component/shapes.ts';
import { TaskRunnerTool } from './task-runner-tool.ts';

/** Options of {@link TeamTool}. */
export interface TeamToolOptions {
  /** Name of the tool for the model. */
  readonly name: string;
  /** Description of the team for the model. */
  readonly description: string;
  /**
   * Whether the model gets only the text of the last message instead of all messages.
   * @defaultValue false
   */
  readonly returnValueAsLastMessage?: boolean | undefined;
}

const PROVIDER = 'autogen_agentchat.tools.TeamTool';
const configSchema = z.object({
  name: z.string(),
  description: z.string(),
  team: componentJson,
  return_value_as_last_message: z.boolean().default(false),
});

/**
 * Lets a model give tasks to a team. A team runs one task at a time, so parallel calls fail.
 *
 * @example
 * ```ts
 * const tool = new TeamTool(team, { name: 'newsroom', description: 'Writes and checks articles.' });
 * ```
 */
export class TeamTool extends TaskRunnerTool implements Component {
  static readonly component: ComponentClass<TeamTool> = {
    provider: PROVIDER,
    load: (config, loader) => {
      const { team, return_value_as_last_message, ...names } = validate(
        configSchema,
        config,
        'TeamToolConfig',
      );
      return new TeamTool(loader.load(team, A_TEAM), {
        ...names,
        returnValueAsLastMessage: return_value_as_last_message,
      });
    },
  };
  readonly team: Team;

  constructor(team: Team, options: TeamToolOptions) {
    const names = { name: true, description: true, returnValueAsLastMessage: true } as const;
    const {
      name,
      description,
      returnValueAsLastMessage = false,
    } = knownOptions('TeamTool', options, names);
    super({ runner: team, name, description, returnValueAsLastMessage });
    this.team = team;
  }

  dumpComponent(): ComponentModel {
    return componentModel(
      { provider: PROVIDER, componentType: 'tool' },
      {
        name: this.name,
        description: this.description,
        team: dumpOf(this.team),
        return_value_as_last_message: this.returnValueAsLastMessage,
      },
    );
  }
}
