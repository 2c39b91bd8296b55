import type {
  BaseGroupChat,
  BaseTool,
  ChatAgent,
  Participant,
  Termination,
} from '@teamfuse/agentchat';
import type { World } from '../script/world.ts';
import type { AgentSpec, TeamSpec, ToolSpec } from '../vector.ts';
import type { Builder } from './builder.ts';
import { buildAgent } from './built-agent.ts';
import { buildTeam } from './built-team.ts';
import { buildTool } from './built-tool.ts';

/** Builds from the descriptions of one case. */
export class SpecBuilder implements Builder {
  readonly world: World;
  readonly isWatching: boolean;
  readonly named: Map<string, Termination> = new Map();

  constructor(world: World, { isWatching = true }: { readonly isWatching?: boolean } = {}) {
    this.world = world;
    this.isWatching = isWatching;
  }

  agent(spec: AgentSpec, owner: string): ChatAgent {
    return buildAgent(spec, below(owner, spec.name), this);
  }

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
