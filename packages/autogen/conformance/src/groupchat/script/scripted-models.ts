import type { LlmConfig } from '@teamfuse/groupchat';
import type { ChatCompletionClient, CreateResult, RequestUsage } from '@teamfuse/models';
import type { ModelAnswer, Vector } from '../vector.ts';
import { raised } from './raised-error.ts';
import { ExactSource } from './script-source.ts';

/** The models of a case; agents with the same model share its answers. */
export class ScriptedModels {
  readonly #vector: Vector;
  readonly #answers = new Map<string, ExactSource<ModelAnswer>>();

  constructor(vector: Vector) {
    this.#vector = vector;
    for (const [model, answers] of Object.entries(vector.llm ?? {})) {
      this.#answers.set(model, new ExactSource(`llm ${model}`, answers));
    }
  }

  /** The configuration of an agent that thinks with a model. */
  config(model: string): LlmConfig {
    const source = this.#answers.get(model) ?? new ExactSource<ModelAnswer>(`llm ${model}`);
    const price = this.#vector.prices?.[model];
    return {
      client: new ScriptedClient(model, source),
      ...(price ? { price } : {}),
    };
  }

  /** What is wrong with the use that was made of the answers. */
  problems(): string[] {
    return [...this.#answers.values()].flatMap((source) => source.problem() ?? []);
  }
}

class ScriptedClient implements ChatCompletionClient {
  readonly model: string;
  readonly modelInfo = {
    vision: false,
    functionCalling: true,
    jsonOutput: false,
    structuredOutput: false,
    family: 'unknown',
  };
  readonly #source: ExactSource<ModelAnswer>;
  readonly #usage = { promptTokens: 0, completionTokens: 0 };

  constructor(model: string, source: ExactSource<ModelAnswer>) {
    this.model = model;
    this.#source = source;
  }

  async create(): Promise<CreateResult> {
    const next = this.#source.next();
    const answer = typeof next === 'string' ? { content: next } : next;
    if (answer.raise) throw raised(answer.raise);
    const [promptTokens, completionTokens] = answer.usage ?? [10, 5];
    this.#usage.promptTokens += promptTokens;
    this.#usage.completionTokens += completionTokens;
    const told = { usage: { promptTokens, completionTokens }, cached: false } as const;
    const calls = (answer.tool_calls ?? []).map(({ id = '', function: asked }) => ({
      id,
      name: asked.name ?? '',
      arguments: asked.arguments ?? '',
    }));
    if (answer.function_call) calls.push({ id: '', ...answer.function_call });
    if (calls.length === 0 && typeof answer.content === 'string') {
      return { ...told, finishReason: 'stop', content: answer.content };
    }
    const thought = answer.content ?? null;
    return { ...told, finishReason: 'function_calls', content: calls, thought };
  }

  async *createStream(): AsyncGenerator<CreateResult> {
    yield await this.create();
  }

  actualUsage(): RequestUsage {
    return { ...this.#usage };
  }

  totalUsage(): RequestUsage {
    return { ...this.#usage };
  }
}
