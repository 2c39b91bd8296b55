import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type AIMessageFields, type BaseMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';

/** What a scripted model answers with. */
export interface Answer {
  readonly text: string;
  readonly calls?: readonly { readonly id: string; readonly tool: string; readonly args: object }[];
  readonly usage?: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cachedTokens?: number;
  };
}

type Script = (
  texts: readonly string[],
  signal: AbortSignal | undefined,
) => Answer | Promise<Answer>;

/** A chat model that answers as a script says. */
export class ScriptedModel extends BaseChatModel {
  readonly model: string;
  readonly #script: Script;

  constructor(model: string, script: Script) {
    super({ maxRetries: 0 });
    this.model = model;
    this.#script = script;
  }

  override _llmType(): string {
    return 'scripted';
  }

  override bindTools(): this {
    return this;
  }

  override getLsParams(
    options: this['ParsedCallOptions'],
  ): ReturnType<BaseChatModel['getLsParams']> {
    return { ...super.getLsParams(options), ls_model_name: this.model };
  }

  override async _generate(
    messages: BaseMessage[],
    { signal }: this['ParsedCallOptions'],
  ): Promise<ChatResult> {
    const texts = messages.map(({ text }) => text);
    const { text, calls = [], usage } = await this.#script(texts, signal);
    const fields = {
      content: text,
      tool_calls: calls.map(({ id, tool: name, args }) => ({ id, name, args: { ...args } })),
      ...(usage && {
        usage_metadata: {
          input_tokens: usage.inputTokens,
          output_tokens: usage.outputTokens,
          total_tokens: usage.inputTokens + usage.outputTokens,
          input_token_details: { cache_read: usage.cachedTokens ?? 0 },
        },
      }),
    };
    const message = new AIMessage(fields as unknown as AIMessageFields);
    return { generations: [{ text, message }] };
  }
}
