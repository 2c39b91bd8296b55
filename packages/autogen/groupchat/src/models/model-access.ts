import type { CreateResult, FunctionCall, RequestUsage, ToolSchema } from '@teamfuse/models';
import type { ConversableAgent } from '../agents/conversable-agent.ts';
import type { ChatMessage, MessageContext, Reply } from '../messages/message.ts';
import type { ModelPurpose } from '../taps/chat-event.ts';
import type { ToollessCall } from '../taps/tap.ts';
import { checkLlmConfig, type LlmConfig } from './llm-config.ts';
import { toModelMessages } from './model-messages.ts';
import { addCall, callCost, noUsage, type UsageSummary } from './usage-summary.ts';

/** Calls the model of an agent, converts messages both ways, and counts usage. */
export class ModelAccess {
  readonly config: LlmConfig;
  #tools: readonly ToolSchema[];
  #actual: UsageSummary | null = null;
  #total: UsageSummary | null = null;

  constructor(config: LlmConfig) {
    this.config = checkLlmConfig(config);
    this.#tools = config.tools ?? [];
  }

  /** Offers the model one more tool; `true` when it replaces another. */
  offer(tool: ToolSchema): boolean {
    const others = this.#tools.filter(({ name }) => name !== tool.name);
    const isReplaced = others.length < this.#tools.length;
    this.#tools = [...others, tool];
    return isReplaced;
  }

  /** The model's name. */
  get model(): string {
    return this.config.client.model;
  }

  /** Usage of calls that reached the model; `null` before the first. */
  get actualUsageSummary(): UsageSummary | null {
    return this.#actual;
  }

  /** Usage of all calls, cached ones included; `null` before the first. */
  get totalUsageSummary(): UsageSummary | null {
    return this.#total;
  }

  /** Sets both usage counts to zero. */
  clearUsageSummary(): void {
    this.#actual = null;
    this.#total = null;
  }

  /** Calls the model; `null` when it answered with neither text nor a call. */
  async create(
    agent: ConversableAgent,
    given: readonly ChatMessage[],
    purpose: ModelPurpose,
    signal?: AbortSignal,
    toolless?: ToollessCall,
  ): Promise<Reply> {
    const { client, functions = [] } = this.config;
    const { messages = given } = toolless ?? {};
    const extraCreateArgs = limited(this.config.extraCreateArgs, toolless);
    const { model } = this;
    agent.emit({ kind: 'model-request', purpose, model, messages });
    const response = { kind: 'model-response', purpose, model } as const;
    try {
      const offered = toolless ? [] : [...this.#tools, ...functions];
      const result = await client.create(toModelMessages(messages), {
        ...(offered.length === 0 ? {} : { tools: offered }),
        ...(extraCreateArgs ? { extraCreateArgs } : {}),
        ...(signal ? { signal } : {}),
      });
      const { usage, cached } = result;
      const cost = this.#count(usage, cached);
      const reply = this.#toReply(result);
      agent.emit({ ...response, usage, cached, cost, reply, error: null });
      return reply;
    } catch (error) {
      agent.emit({ ...response, usage: null, cached: false, cost: null, reply: null, error });
      throw error;
    }
  }

  /** Prepares messages for the model: tool results are separated, contents filled in from the last `context`. */
  prepare(messages: readonly ChatMessage[]): ChatMessage[] {
    const last = messages.at(-1);
    const context = last?.context;
    if (last) delete last.context;
    return messages.flatMap(unrolled).map((message) => this.#filledIn(message, context));
  }

  #filledIn(message: ChatMessage, context: MessageContext | null | undefined): ChatMessage {
    if (!context || !message.content) return message;
    if (typeof message.content === 'function') {
      return { ...message, content: message.content(context) };
    }
    if (typeof message.content !== 'string' || !this.config.allowFormatStrTemplate) return message;
    const content = message.content.replace(/\{(\w+)\}/g, (placeholder, key: string) =>
      Object.hasOwn(context, key) ? String(context[key]) : placeholder,
    );
    return { ...message, content };
  }

  #count(usage: RequestUsage, cached: boolean): number | null {
    const cost = callCost(this.model, usage, this.config.price);
    this.#total = addCall(this.#total ?? noUsage, this.model, usage, cost);
    if (!cached) this.#actual = addCall(this.#actual ?? noUsage, this.model, usage, cost);
    return cost;
  }

  #toReply({ content, thought }: CreateResult): Reply {
    if (typeof content === 'string') return content;
    const [first] = content;
    if (!first) return null;
    const reply: ChatMessage = { role: 'assistant', content: thought ?? null };
    // The older form of calls has no ids.
    if (first.id === '' || this.config.functions?.some(({ name }) => name === first.name)) {
      reply.function_call = { name: normalName(first.name), arguments: first.arguments };
    } else {
      reply.tool_calls = content.map(toToolCall);
    }
    return reply;
  }
}

/** The arguments of a call, with the limit of one without tools. */
function limited(
  args: LlmConfig['extraCreateArgs'],
  toolless: ToollessCall | undefined,
): LlmConfig['extraCreateArgs'] {
  if (toolless === undefined) return args;
  const { tool_choice, parallel_tool_calls, max_tokens, ...others } = args ?? {};
  const field = others.max_completion_tokens === undefined ? 'max_tokens' : 'max_completion_tokens';
  return { ...others, [field]: toolless.maxTokens };
}

function toToolCall(call: FunctionCall): NonNullable<ChatMessage['tool_calls']>[number] {
  return {
    id: call.id,
    type: 'function',
    function: { name: normalName(call.name), arguments: call.arguments },
  };
}

// Providers reject other names when the call is sent back.
function normalName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64);
}

function unrolled(message: ChatMessage): ChatMessage[] {
  const { tool_responses: responses, ...rest } = message;
  if (!responses?.length) return [message];
  return message.role === 'tool' ? [...responses] : [...responses, rest];
}
