import {
  AssistantAgent,
  type AssistantAgentOptions,
  BaseChatAgent,
  type BaseChatMessage,
  type BaseTool,
  type ChatItemClass,
  HandoffMessage,
  type Response,
  TextMessage,
  type ToolCallOptions,
  type Workbench,
} from '@teamfuse/agentchat';
import type { CodeExecutor, CodeResult } from '@teamfuse/code-executors';
import {
  type CreateResult,
  type ModelInfo,
  ReplayChatCompletionClient,
  type Reply,
} from '@teamfuse/models';

const ABLE: ModelInfo = {
  vision: true,
  functionCalling: true,
  jsonOutput: true,
  structuredOutput: true,
  family: 'gpt-4o',
  multipleSystemMessages: true,
};

/** A model that answers from a script. */
export function replay(...replies: Reply[]): ReplayChatCompletionClient {
  return new ReplayChatCompletionClient(replies, { modelInfo: ABLE });
}

/** Answers from a script, and takes its time over each answer. */
class SlowClient extends ReplayChatCompletionClient {
  readonly #think: () => void;

  constructor(replies: Reply[], think: () => void) {
    super(replies, { modelInfo: ABLE });
    this.#think = think;
  }

  override async create(
    ...request: Parameters<ReplayChatCompletionClient['create']>
  ): Promise<CreateResult> {
    this.#think();
    return await super.create(...request);
  }
}

/** A model that answers from a script, and does so much before each answer. */
export function slow(think: () => void, ...replies: Reply[]): ReplayChatCompletionClient {
  return new SlowClient(replies, think);
}

/** An assistant on a scripted model. */
export function assistant(
  name: string,
  replies: Reply[],
  options: Omit<AssistantAgentOptions, 'modelClient'> = {},
): { agent: AssistantAgent; model: ReplayChatCompletionClient } {
  const model = replay(...replies);
  return { model, agent: new AssistantAgent(name, { modelClient: model, ...options }) };
}

/** A reply that calls a tool once. */
export function callsTool(name: string, args: object = {}, id = '1'): Reply {
  return {
    content: [{ id, name, arguments: JSON.stringify(args) }],
    usage: { promptTokens: 10, completionTokens: 5 },
  };
}

/** A tool that takes anything. */
export function tool(name: string, func: (args: unknown) => unknown): BaseTool {
  return {
    name,
    description: name,
    schema: { name, description: name, parameters: { type: 'object' } },
    runJson: async (args) => func(args),
    returnValueAsString: String,
  };
}

/** A workbench of one tool, which does not stream. */
export function plainWorkbench(
  name: string,
  call: (options: ToolCallOptions) => string,
): Workbench {
  return {
    listTools: async () => [{ name, description: name, parameters: { type: 'object' } }],
    callTool: async (_name, _args, options = {}) => {
      return { name, content: call(options), isError: false };
    },
  };
}

/** Says what a function makes of its turns, without any model. `@bob` in front hands off to bob. */
export class Speaker extends BaseChatAgent {
  readonly producedMessageTypes: readonly ChatItemClass[] = [TextMessage, HandoffMessage];
  readonly received: string[][] = [];
  readonly #say: (turn: number) => string | Promise<string>;

  constructor(name: string, say: (turn: number) => string | Promise<string>) {
    super(name, `${name} speaks`);
    this.#say = say;
  }

  async onMessages(messages: readonly BaseChatMessage[]): Promise<Response> {
    this.received.push(messages.map((message) => message.toText()));
    const content = await this.#say(this.received.length);
    const [, target] = /^@(\w+)/.exec(content) ?? [];
    const fields = { content, source: this.name };
    return {
      chatMessage:
        target === undefined ? new TextMessage(fields) : new HandoffMessage({ ...fields, target }),
    };
  }

  async onReset(): Promise<void> {}
}

/** Says its name and its turn. */
export function talker(name: string): Speaker {
  return new Speaker(name, (turn) => `${name}${turn}`);
}

/** An executor that gives these results in turn, and keeps the code it was given. */
export function scriptedExecutor(...results: CodeResult[]): CodeExecutor & { ran: string[] } {
  const ran: string[] = [];
  return {
    ran,
    async executeCodeBlocks(blocks) {
      ran.push(blocks.map(({ code }) => code.trim()).join(';'));
      return results[ran.length - 1] ?? { exitCode: 0, output: '' };
    },
  };
}
