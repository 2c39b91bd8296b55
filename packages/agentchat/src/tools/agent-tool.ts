import type { ChatAgent } from '../base/chat-agent.ts';
import { TaskRunnerTool } from './task-runner-tool.ts';

/** Options of {@link AgentTool}. */
export interface AgentToolOptions {
  /**
   * Whether the model gets only the text of the last message instead of everything that was said.
   * @defaultValue false
   */
  readonly returnValueAsLastMessage?: boolean;
}

/**
 * Lets a model put tasks to an agent; the tool has the agent's name and description.
 *
 * The agent keeps its conversation from call to call, so calls at the same time would mix.
 */
export class AgentTool extends TaskRunnerTool {
  readonly agent: ChatAgent;

  constructor(agent: ChatAgent, { returnValueAsLastMessage = false }: AgentToolOptions = {}) {
    const { name, description } = agent;
    super({ runner: agent, name, description, returnValueAsLastMessage });
    this.agent = agent;
  }
}
