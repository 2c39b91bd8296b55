import {
  AssistantAgent,
  BaseChatAgent,
  type BaseTool,
  type ChatItemClass,
  CodeExecutorAgent,
  isChatMessage,
  type Participant,
  type Response,
  RoundRobinGroupChat,
  TextMessage,
  UserProxyAgent,
} from '@teamfuse/agentchat';
import type { ChatCompletionClient, CreateResult } from '@teamfuse/models';
import {
  type AdapterHarness,
  type AssistantScript,
  type ContractTeam,
  type MemberScript,
  MODEL,
  type Stage,
  type TeamScript,
  toolsOf,
} from '@teamfuse/testing/adapters';
import { guardTeam } from '../../src/index.ts';
import { tool } from './agents.ts';

/** Builds round-robin teams of 0.4 style agents; their models stream if so wanted. */
export function contractHarness(isStreaming = false): AdapterHarness {
  return {
    lacks: {
      schema: 'a tool checks its arguments itself',
      'side-by-side': 'a team that is running cannot run again',
    },
    build(script, stage): ContractTeam {
      const parts: object[] = [];
      const team = teamOf(script, { stage, isStreaming, parts, equipment: new Map() });
      return {
        parts,
        guard: (breaker, options) => guardTeam(team, breaker, options),
        async run(task, options) {
          const { messages, stopReason } = await team.run({ task, ...options });
          const texts = messages.filter(isChatMessage).map((message) => message.toText());
          return { texts, stopReason: stopReason ?? undefined };
        },
        breakTap() {
          const bot = team.participants.find((member) => member instanceof AssistantAgent);
          if (bot instanceof AssistantAgent) bot.modelClient = modelOf('bot', stage);
          return 'modelClient';
        },
      };
    },
  };
}

interface Setting {
  readonly stage: Stage;
  readonly isStreaming: boolean;
  readonly parts: object[];
  /** What assistants hold, by their names. */
  readonly equipment: Map<string, Equipment>;
}

interface Equipment {
  readonly modelClient: ChatCompletionClient;
  readonly tools: readonly BaseTool[];
}

function teamOf({ name, members, turns }: TeamScript, setting: Setting): RoundRobinGroupChat {
  const participants = members.map((member) => memberOf(member, setting));
  const team = new RoundRobinGroupChat(participants, { name, maxTurns: turns });
  setting.parts.push(team);
  return team;
}

function memberOf(script: MemberScript, setting: Setting): Participant {
  if (script.kind === 'team') return teamOf(script, setting);
  const agent = agentOf(script, setting);
  setting.parts.push(agent);
  return agent;
}

function agentOf(
  script: Exclude<MemberScript, { kind: 'team' }>,
  { stage, isStreaming, equipment }: Setting,
): BaseChatAgent {
  const { name } = script;
  switch (script.kind) {
    case 'speaker':
      return new Speaker(name, stage);
    case 'person':
      return new UserProxyAgent(name, { inputFunc: (_, { signal }) => stage.person(name, signal) });
    case 'coder':
      return new CodeExecutorAgent(name, {
        codeExecutor: { executeCodeBlocks: (_, options) => stage.code(name, options?.signal) },
        approvalFunc: async () => {
          await stage.beforeCode(name);
          return { approved: true, reason: '' };
        },
      });
    case 'assistant': {
      const own = { modelClient: modelOf(name, stage), tools: toolsFor(script, stage) };
      const held = equipment.get(script.sharedWith ?? name) ?? own;
      equipment.set(name, held);
      const options = { modelClientStream: isStreaming, maxToolIterations: 10 };
      return new AssistantAgent(name, { ...held, ...options });
    }
  }
}

/** Says its lines without any model. */
class Speaker extends BaseChatAgent {
  readonly producedMessageTypes: readonly ChatItemClass[] = [TextMessage];
  readonly #stage: Stage;

  constructor(name: string, stage: Stage) {
    super(name, 'speaks');
    this.#stage = stage;
  }

  async onMessages(): Promise<Response> {
    const { name: source } = this;
    return { chatMessage: new TextMessage({ content: await this.#stage.speak(source), source }) };
  }

  async onReset(): Promise<void> {}
}

function toolsFor(script: AssistantScript, stage: Stage): readonly BaseTool[] {
  return toolsOf(script).map((name) => ({
    ...tool(name, () => undefined),
    runJson: (_, options) => stage.tool(script.name, name, options?.signal),
  }));
}

function modelOf(agent: string, stage: Stage): ChatCompletionClient {
  const create: ChatCompletionClient['create'] = async (messages, options = {}) => {
    const { signal, tools = [], extraCreateArgs = {} } = options;
    const terms = { tools: tools.length, maxTokens: extraCreateArgs.max_tokens as number };
    const prompt = messages.map(({ content }) =>
      typeof content === 'string' ? content : JSON.stringify(content),
    );
    const { text, calls, usage } = await stage.model(agent, prompt, signal, terms);
    const asked = calls.map(({ id, tool: name, args }) => {
      return { id, name, arguments: JSON.stringify(args) };
    });
    return {
      content: calls.length > 0 ? asked : text,
      finishReason: calls.length > 0 ? 'function_calls' : 'stop',
      usage: { promptTokens: usage.inputTokens, completionTokens: usage.outputTokens },
      cached: false,
    } satisfies CreateResult;
  };
  const unused = { promptTokens: 0, completionTokens: 0 };
  return {
    model: MODEL,
    modelInfo: {
      vision: false,
      functionCalling: true,
      jsonOutput: false,
      structuredOutput: false,
      family: 'unknown',
    },
    create,
    async *createStream(...request) {
      const answer = await create(...request);
      if (typeof answer.content === 'string') yield answer.content;
      yield answer;
    },
    actualUsage: () => unused,
    totalUsage: () => unused,
  };
}
