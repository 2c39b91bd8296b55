import { z } from 'zod';
import type { ChatAgent } from '../base/chat-agent.ts';
import { knownOptions } from '../base/options.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import {
  type Component,
  type ComponentModel,
  componentJson,
  componentModel,
} from '../component/component-model.ts';
import { dumpOf } from '../component/dump-of.ts';
import { AN_AGENT } from '../component/shapes.ts';
import { TaskRunnerTool } from './task-runner-tool.ts';

/** Options of {@link AgentTool}. */
export interface AgentToolOptions {
  /**
   * Whether the model gets only the text of the last message instead of all messages.
   * @defaultValue false
   */
  readonly returnValueAsLastMessage?: boolean | undefined;
}

const PROVIDER = 'autogen_agentchat.tools.AgentTool';
const configSchema = z.object({
  agent: componentJson,
  return_value_as_last_message: z.boolean().default(false),
});

/**
 * Lets a model give tasks to an agent; the tool has the agent's name and description.
 *
 * The agent keeps its conversation between calls, so parallel calls would mix.
 *
 * @example
 * ```ts
 * const boss = new AssistantAgent('boss', { modelClient, tools: [new AgentTool(writer)] });
 * ```
 */
export class AgentTool extends TaskRunnerTool implements Component {
  static readonly component: ComponentClass<AgentTool> = {
    provider: PROVIDER,
    load: (config, loader) => {
      const { agent, return_value_as_last_message } = validate(
        configSchema,
        config,
        'AgentToolConfig',
      );
      return new AgentTool(loader.load(agent, AN_AGENT), {
        returnValueAsLastMessage: return_value_as_last_message,
      });
    },
  };
  readonly agent: ChatAgent;

  constructor(agent: ChatAgent, options: AgentToolOptions = {}) {
    const names = { returnValueAsLastMessage: true } as const;
    const { returnValueAsLastMessage = false } = knownOptions('AgentTool', options, names);
    const { name, description } = agent;
    super({ runner: agent, name, description, returnValueAsLastMessage });
    this.agent = agent;
  }

  dumpComponent(): ComponentModel {
    return componentModel(
      { provider: PROVIDER, componentType: 'tool' },
      {
        agent: dumpOf(this.agent),
        return_value_as_last_message: this.returnValueAsLastMessage,
      },
    );
  }
}
