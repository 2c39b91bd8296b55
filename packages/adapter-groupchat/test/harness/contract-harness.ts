import { ConversableAgent, contentText, TapSet } from '@teamfuse/groupchat';
import type { AdapterHarness } from '@teamfuse/testing/adapters';
import { guardAgents } from '../../src/index.ts';
import { silence } from '../support/agents.ts';
import { type ToolHolder, teamOf } from './scripted-team.ts';

/** Builds groups of 0.2 style agents, to which an agent outside of the group gives the task. */
export function contractHarness(toolHolder: ToolHolder): AdapterHarness {
  return {
    lacks: {
      schema: 'a tool checks its arguments itself',
      'side-by-side': 'an agent keeps one history of all chats with another one',
    },
    build(script, stage) {
      const agents: ConversableAgent[] = [];
      const { manager, groupchat } = teamOf(script, {
        stage,
        toolHolder,
        agents,
        equipment: new Map(),
      });
      const user = new ConversableAgent({
        name: 'user',
        io: silence,
        humanInputMode: 'NEVER',
        defaultAutoReply: null,
      });
      agents.push(user);
      return {
        // The last speaker of a group changes in each run, guarded or not: of a manager its chain has to be left alone.
        parts: agents.flatMap((agent) =>
          'groupchat' in agent ? [agent.replyFuncList] : [agent, agent.replyFuncList],
        ),
        guard: (breaker, options) => guardAgents(agents, breaker, options),
        async run(message, limits) {
          const { stopKind, stopReason } = await user.initiateChat(manager, {
            message,
            silent: true,
            ...limits,
          });
          const texts = groupchat.messages.map(({ content }) => contentText(content));
          return { texts, stopReason: stopKind === 'refused' ? stopReason : undefined };
        },
        breakTap() {
          Object.assign(agents.find(({ name }) => name === 'bot') ?? {}, { taps: new TapSet() });
          return 'taps';
        },
      };
    },
  };
}
