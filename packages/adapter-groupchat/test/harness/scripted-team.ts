import {
  ConversableAgent,
  type ConversableAgentOptions,
  contentText,
  GroupChat,
  GroupChatManager,
  UserProxyAgent,
} from '@teamfuse/groupchat';
import type { ChatCompletionClient } from '@teamfuse/models';
import {
  type AssistantScript,
  type MemberScript,
  type Stage,
  type TeamScript,
  toolsOf,
} from '@teamfuse/testing/adapters';
import { silence } from '../support/agents.ts';
import { scriptedModel } from './scripted-model.ts';

/** Whether an assistant carries out the calls of its model itself, or an agent beside it does. */
export type ToolHolder = 'caller' | 'executor';

export interface Setting {
  readonly stage: Stage;
  readonly toolHolder: ToolHolder;
  /** Receives every agent of the team and of teams inside it. */
  readonly agents: ConversableAgent[];
  /** What assistants hold, by their names. */
  readonly equipment: Map<string, Equipment>;
}

interface Equipment {
  readonly client: ChatCompletionClient;
  readonly tools: readonly (readonly [name: string, use: ToolFunction])[];
}

type ToolFunction = ConversableAgent['functionMap'] extends Map<string, infer F> ? F : never;

interface Group {
  readonly manager: GroupChatManager;
  readonly groupchat: GroupChat;
}

/** A member with the agents that it takes to play it: the one that speaks, and the one that carries out its calls. */
interface Member {
  readonly speaker: ConversableAgent;
  readonly executor: ConversableAgent;
}

const ANYONE = [(): boolean => true, null];

/** A group whose members speak in the order of the script. */
export function teamOf({ name, members: scripts, turns }: TeamScript, setting: Setting): Group {
  const members = scripts.map((script) => memberOf(script, setting));
  const agents = [...new Set(members.flatMap(({ speaker, executor }) => [speaker, executor]))];
  const groupchat = new GroupChat({
    agents,
    maxRound: 100,
    speakerSelectionMethod: (_, { messages }) => {
      const last = messages.at(-1);
      // The task takes no turn, and a turn is not over while tools are called.
      const taken = messages
        .slice(1)
        .filter(({ tool_calls, role }) => !tool_calls && role !== 'tool');
      const member = members[taken.length % members.length];
      if (last?.tool_calls) return member?.executor ?? null;
      return taken.length < turns ? (member?.speaker ?? null) : null;
    },
  });
  const manager = new GroupChatManager({
    groupchat,
    name: `${name}-manager`,
    io: silence,
    silent: true,
  });
  setting.agents.push(...agents, manager);
  return { manager, groupchat };
}

function memberOf(script: MemberScript, setting: Setting): Member {
  if (script.kind === 'assistant') return assistantOf(script, setting);
  const speaker = agentOf(script, setting);
  return { speaker, executor: speaker };
}

function agentOf(
  script: Exclude<MemberScript, AssistantScript>,
  setting: Setting,
): ConversableAgent {
  const { name } = script;
  const { stage } = setting;
  switch (script.kind) {
    case 'speaker': {
      const agent = plain(name);
      agent.registerReply(ANYONE, async () => [true, await stage.speak(name)]);
      return agent;
    }
    case 'person':
      return new UserProxyAgent({
        name,
        isTerminationMsg: () => false,
        io: { ...silence, input: (_, options) => stage.person(name, options?.signal) },
      });
    case 'coder': {
      const executor = {
        executeCodeBlocks: (_: unknown, options?: { readonly signal?: AbortSignal }) =>
          stage.code(name, options?.signal),
      };
      const agent = plain(name, { codeExecutionConfig: { executor } });
      agent.registerReply(ANYONE, async () => {
        await stage.beforeCode(name);
        return [false, null];
      });
      return agent;
    }
    case 'team': {
      const agent = plain(name);
      const { manager, groupchat } = teamOf(script, setting);
      const summaryMethod = (): string => contentText(groupchat.messages.at(-1)?.content);
      agent.registerNestedChats(
        [{ recipient: manager, summaryMethod, maxTurns: 1, silent: true }],
        () => true,
      );
      return agent;
    }
  }
}

function assistantOf(script: AssistantScript, setting: Setting): Member {
  const { name } = script;
  const { toolHolder } = setting;
  const names = toolsOf(script);
  const { client, tools } = equipmentOf(script, setting);
  const speaker = plain(name, {
    llmConfig: {
      client,
      tools: names.map((tool) => ({ name: tool, description: tool, parameters: {} })),
    },
  });
  const executor = toolHolder === 'caller' ? speaker : plain(`${name}-desk`);
  for (const [tool, use] of tools) executor.functionMap.set(tool, use);
  return { speaker, executor };
}

function equipmentOf(script: AssistantScript, { stage, equipment }: Setting): Equipment {
  const { name, sharedWith = name } = script;
  const shared = equipment.get(sharedWith);
  if (shared !== undefined) return shared;
  const tools = toolsOf(script).map((tool): Equipment['tools'][number] => [
    tool,
    (_, options) => stage.tool(name, tool, options?.signal),
  ]);
  const own = { client: scriptedModel(name, stage), tools };
  equipment.set(name, own);
  return own;
}

function plain(name: string, options: Partial<ConversableAgentOptions> = {}): ConversableAgent {
  return new ConversableAgent({
    name,
    io: silence,
    humanInputMode: 'NEVER',
    isTerminationMsg: () => false,
    ...options,
  });
}
