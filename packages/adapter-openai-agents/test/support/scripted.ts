import type { Model, ModelRequest, ModelResponse, StreamEvent } from '@openai/agents-core';
import { Usage } from '@openai/agents-core';

/** What a scripted model answers with. */
export interface Answer {
  readonly text: string;
  readonly calls?: readonly { readonly id: string; readonly tool: string; readonly args: object }[];
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
}

/** What a model was asked, as far as a script looks at it. */
export interface Question {
  readonly texts: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly terms: { readonly tools: number; readonly maxTokens: number | undefined };
}

/** A model that answers as a script says. */
export class ScriptModel implements Model {
  readonly modelId: string;
  readonly #answer: (question: Question) => Answer | Promise<Answer>;

  constructor(modelId: string, answer: (question: Question) => Answer | Promise<Answer>) {
    this.modelId = modelId;
    this.#answer = answer;
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    const { text, calls = [], usage = {} } = await this.#asked(request);
    const content = [{ type: 'output_text' as const, text }];
    const message = { type: 'message', role: 'assistant', status: 'completed', content } as const;
    const functions = calls.map(({ id: callId, tool: name, args }) => {
      const call = { callId, name, arguments: JSON.stringify(args) };
      return { type: 'function_call', status: 'completed', ...call } as const;
    });
    return {
      usage: new Usage(usage),
      output: [...(text === '' ? [] : [message]), ...functions],
      responseId: 'response',
    };
  }

  async *getStreamedResponse(request: ModelRequest): AsyncGenerator<StreamEvent> {
    yield { type: 'response_started' };
    const { output, usage } = await this.getResponse(request);
    for (const item of output) {
      if (item.type !== 'message') continue;
      for (const part of Object(item.content)) {
        for (const delta of part.text.split(/(?<= )/)) yield { type: 'output_text_delta', delta };
      }
    }
    const { inputTokens, outputTokens, totalTokens } = usage;
    const response = { id: 'response', output, usage: { inputTokens, outputTokens, totalTokens } };
    yield { type: 'response_done', response } as StreamEvent;
  }

  async #asked({ input, signal, tools, modelSettings }: ModelRequest): Promise<Answer> {
    const terms = { tools: tools.length, maxTokens: modelSettings.maxTokens };
    const texts = typeof input === 'string' ? [input] : input.map(textIn);
    return this.#answer({ texts, signal, terms });
  }
}

function textIn(item: object): string {
  const content: unknown = Reflect.get(item, 'content');
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return JSON.stringify(item);
  return content.map((part) => String(Reflect.get(Object(part), 'text'))).join('\n');
}
