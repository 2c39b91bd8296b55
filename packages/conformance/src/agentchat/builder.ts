import type {
  BaseGroupChat,
  BaseTool,
  ChatAgent,
  Participant,
  Termination,
} from '@teamfuse/agentchat';
import { buildAgent } from './built-agent.ts';
import { buildTeam } from './built-team.ts';
import { buildTool } from './built-tool.ts';
import type { AgentSpec, TeamSpec, ToolSpec } from './vector.ts';
import type { World } from './world.ts';

/** Makes agents, teams and tools from their descriptions, and knows under which path each is noted. */
export class Builder {
  readonly world: World;
  /** Whether what teams do with their conditions is noted; a watched condition cannot be dumped. */
  readonly isWatching: boolean;
  /** Conditions that were given a name. */
  readonly named: Map<string, Termination> = new Map();

  constructor(world: World, { isWatching = true }: { readonly isWatching?: boolean } = {}) {
    this.world = world;
    this.isWatching = isWatching;
  }

  agent(spec: AgentSpec, owner: string): ChatAgent {
    return buildAgent(spec, below(owner, spec.name), this);
  }

  /** The team the case is about has no path of its own. */
  rootTeam(spec: TeamSpec): BaseGroupChat {
    return buildTeam(spec, '', this);
  }

  team(spec: TeamSpec, owner: string): BaseGroupChat {
    return buildTeam(spec, below(owner, spec.name ?? spec.kind), this);
  }

  participant(spec: AgentSpec | TeamSpec, owner: string): Participant {
    return 'participants' in spec ? this.team(spec, owner) : this.agent(spec, owner);
  }

  tool(spec: ToolSpec, owner: string): BaseTool {
    return buildTool(spec, owner, this);
  }
}

function below(owner: string, name: string): string {
  return owner === '' ? name : `${owner}/${name}`;
}
