import { guardTeam } from '../../packages/adapter-agentchat/src/index.ts';
import { guardAgents } from '../../packages/adapter-groupchat/src/index.ts';
import {
  AssistantAgent,
  type BaseTool,
  RoundRobinGroupChat,
} from '../../packages/autogen/agentchat/src/index.ts';
import {
  ConversableAgent,
  GroupChat,
  GroupChatManager,
  type IOStream,
} from '../../packages/autogen/groupchat/src/index.ts';
import type { Scene } from '../../packages/core/test/simulation/scene.ts';
import type { Party } from '../../packages/core/test/simulation/world.ts';
import { look, SimulatedClient } from './client.ts';

/** Runs a guarded team once, until it ends or the signal aborts. */
export type Run = (signal: AbortSignal) => Promise<unknown>;

const QUIET: IOStream = { print() {}, warn() {}, input: async () => '' };

/** A team of the later generation, that runs as a whole or streams to a reader who may leave. */
export function makeTeam({ world, breaker }: Scene, party: Party): Run {
  const { random } = party;
  const tools = [toolOf(() => look(world, party))];
  const agents = ['ann', 'bob'].map(
    (name) =>
      new AssistantAgent(name, {
        modelClient: new SimulatedClient(world, party, true),
        modelClientStream: random.oneIn(2),
        tools,
      }),
  );
  const team = new RoundRobinGroupChat(agents, { maxTurns: 2 + random.below(5) });
  guardTeam(team, breaker, { judge: false });
  return async (signal) => {
    const task = 'Find it out';
    if (random.oneIn(2)) return team.run({ task, signal });
    let left = random.oneIn(3) ? random.below(20) : 1e9;
    for await (const _ of team.runStream({ task, signal })) if (--left < 0) return undefined;
    return undefined;
  };
}

/** Agents of the earlier generation: two of them, or a group with its manager. */
export function makeChat({ world, breaker }: Scene, party: Party): Run {
  const { random } = party;
  const agent = (name: string): ConversableAgent =>
    new ConversableAgent({
      name,
      io: QUIET,
      humanInputMode: 'NEVER',
      functionMap: { look: () => look(world, party) },
      llmConfig: { client: new SimulatedClient(world, party, false) },
    });
  const [ann, bob, eve] = [agent('ann'), agent('bob'), agent('eve')] as const;
  if (random.oneIn(2)) {
    guardAgents([ann, bob], breaker, { judge: false });
    return (signal) => ann.initiateChat(bob, { message: 'Find it out', maxTurns: 4, signal });
  }
  const group = new GroupChat({
    agents: [ann, bob, eve],
    maxRound: 6,
    speakerSelectionMethod: 'round_robin',
  });
  const manager = new GroupChatManager({ groupchat: group, io: QUIET, llmConfig: false });
  guardAgents([ann, bob, eve, manager], breaker, { judge: false });
  return (signal) => ann.initiateChat(manager, { message: 'Find it out', signal });
}

function toolOf(run: () => Promise<string>): BaseTool {
  const parameters = { type: 'object', properties: {} };
  return {
    name: 'look',
    description: 'Looks something up.',
    schema: { name: 'look', description: 'Looks something up.', parameters },
    runJson: run,
    returnValueAsString: String,
  };
}
