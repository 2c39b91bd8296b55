import type {
  BaseGroupChat,
  BaseTool,
  ChatAgent,
  Participant,
  Termination,
} from '@teamfuse/agentchat';
import type { World } from '../script/world.ts';
import type { AgentSpec, TeamSpec, ToolSpec } from '../vector.ts';

/** Makes agents, teams and tools from their descriptions, and knows under which path each is noted. */
export interface Builder {
  readonly world: World;
  /** Whether what teams do with their conditions is noted; a watched condition cannot be dumped. */
  readonly isWatching: boolean;
  /** Conditions that were given a name. */
  readonly named: Map<string, Termination>;
  agent(spec: AgentSpec, owner: string): ChatAgent;
  /** The team the case is about, which has no path of its own. */
  rootTeam(spec: TeamSpec): BaseGroupChat;
  team(spec: TeamSpec, owner: string): BaseGroupChat;
  participant(spec: AgentSpec | TeamSpec, owner: string): Participant;
  tool(spec: ToolSpec, owner: string): BaseTool;
}
