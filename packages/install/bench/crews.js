import { guardTeam } from '@teamfuse/adapter-agentchat';
import { guardAgents } from '@teamfuse/adapter-groupchat';
import { BaseChatAgent, RoundRobinGroupChat, TextMessage } from '@teamfuse/agentchat';
import { ConversableAgent, GroupChat, GroupChatManager } from '@teamfuse/groupchat';

const TASK = 'Begin';

/** What an instant agent says: another number each time. */
function* reports() {
  for (let turn = 7919; ; turn += 7919) {
    yield `Report ${turn}: section ${(turn * 31) % 997} is done.`;
  }
}

class InstantAgent extends BaseChatAgent {
  producedMessageTypes = [TextMessage];
  #reports = reports();

  async onMessages() {
    const content = this.#reports.next().value;
    return { chatMessage: new TextMessage({ content, source: this.name }) };
  }

  async onReset() {}
}

/** A team of two agents in the style of AutoGen 0.4, each run `turns` long. */
function team(turns) {
  const agents = [new InstantAgent('ann', ''), new InstantAgent('bob', '')];
  const crew = new RoundRobinGroupChat(agents, { maxTurns: turns });
  return {
    guard: (breaker) => guardTeam(crew, breaker),
    run: () => crew.run({ task: TASK }),
    forget: () => crew.reset(),
  };
}

const silence = { print() {}, warn() {}, input: async () => '' };

function instantAgent(name) {
  const agent = new ConversableAgent({ name, io: silence, humanInputMode: 'NEVER' });
  const said = reports();
  agent.registerReply([() => true, null], () => [true, said.next().value]);
  return agent;
}

/** A group chat of two agents in the style of AutoGen 0.2, each chat `turns` long. */
function group(turns) {
  const agents = [instantAgent('ann'), instantAgent('bob')];
  const user = new ConversableAgent({ name: 'user', io: silence, humanInputMode: 'NEVER' });
  const groupchat = new GroupChat({
    agents,
    maxRound: turns + 1,
    speakerSelectionMethod: 'round_robin',
  });
  const manager = new GroupChatManager({ groupchat, io: silence, silent: true });
  return {
    guard: (breaker) => guardAgents([user, ...agents, manager], breaker),
    run: () => user.initiateChat(manager, { message: TASK, silent: true }),
    forget: async () => {
      for (const agent of [user, ...agents, manager]) agent.clearHistory();
    },
  };
}

/** Makes a crew that works at once, by the generation of AutoGen that it is in the style of. */
export const GENERATIONS = { 0.4: team, 0.2: group };
