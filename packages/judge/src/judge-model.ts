import { InvalidOptionError, readUsage } from '@teamfuse/core';
import type { ReportedUsage } from '@teamfuse/core/kit';
import type { JudgeMessage } from './question-messages.ts';
import { VERDICT_SCHEMA } from './verdict.ts';

/** A function that sends messages to a model and returns the text of its answer. */
export type FunctionModel = (
  messages: readonly JudgeMessage[],
  options: { readonly signal: AbortSignal },
) => Promise<string>;

/** A client with the members of `ChatCompletionClient` of `@teamfuse/models` that are needed here. */
export interface ChatModel {
  readonly model: string;
  readonly modelInfo?: { readonly structuredOutput?: boolean; readonly jsonOutput?: boolean };
  create(
    // biome-ignore lint/suspicious/noExplicitAny: a client may take more kinds of messages than are sent to it here.
    messages: any,
    // biome-ignore lint/suspicious/noExplicitAny: the same holds for its options.
    options?: any,
  ): Promise<{
    readonly content: unknown;
    readonly usage?: unknown;
  }>;
}

/** A model of the AI SDK (language model specification v2 or later). */
export interface LanguageModel {
  readonly modelId: string;
  // biome-ignore lint/suspicious/noExplicitAny: the options differ between versions of the specification.
  doGenerate(options: any): PromiseLike<{
    // biome-ignore lint/suspicious/noExplicitAny: only the parts that are text are read.
    readonly content: readonly any[];
    // biome-ignore lint/suspicious/noExplicitAny: a number, or an object with a total in it.
    readonly usage?: any;
  }>;
}

/** A model that can judge. */
export type JudgeModel = FunctionModel | ChatModel | LanguageModel;

/** What a model said, and what it took. */
export interface Reply {
  readonly text: unknown;
  readonly usage?: ReportedUsage | undefined;
}

/** Asks a model, whatever its form. */
export interface Asker {
  /** The name under which its price is listed. */
  readonly model: string;
  ask(messages: readonly JudgeMessage[], signal: AbortSignal): Promise<Reply>;
}

/** @throws {@link InvalidOptionError} */
export function askerOf(model: JudgeModel): Asker {
  try {
    return readAsker(model);
  } catch (error) {
    if (error instanceof InvalidOptionError) throw error;
    throw new InvalidOptionError('client', EXPECTED_CLIENT, model);
  }
}

const EXPECTED_CLIENT = 'a function, or an object with create() or doGenerate()';

function readAsker(model: JudgeModel): Asker {
  if (typeof model === 'function') {
    return {
      model: '',
      ask: async (messages, signal) => ({ text: await model(messages, { signal }) }),
    };
  }
  if (typeof (model as Partial<ChatModel> | null)?.create === 'function') {
    return chatAsker(model as ChatModel);
  }
  if (typeof (model as Partial<LanguageModel> | null)?.doGenerate === 'function') {
    return languageAsker(model as LanguageModel);
  }
  throw new InvalidOptionError('client', EXPECTED_CLIENT, model);
}

function chatAsker(client: ChatModel): Asker {
  const { structuredOutput, jsonOutput } = client.modelInfo ?? {};
  const format = { name: 'verdict', schema: VERDICT_SCHEMA };
  return {
    model: client.model,
    ask: async (messages, signal) => {
      const { content, usage } = await client.create(
        messages.map(({ role, content: text }) =>
          role === 'system'
            ? { type: 'SystemMessage', content: text }
            : { type: 'UserMessage', content: text, source: 'user' },
        ),
        {
          signal,
          ...(structuredOutput ? { jsonOutput: format } : jsonOutput && { jsonOutput: true }),
        },
      );
      return {
        text: typeof content === 'string' ? content : '',
        usage: readUsage(usage),
      };
    },
  };
}

function languageAsker(model: LanguageModel): Asker {
  return {
    model: model.modelId,
    ask: async (messages, signal) => {
      const { content, usage } = await model.doGenerate({
        prompt: messages.map(({ role, content: text }) =>
          role === 'system' ? { role, content: text } : { role, content: [{ type: 'text', text }] },
        ),
        responseFormat: { type: 'json', schema: VERDICT_SCHEMA, name: 'verdict' },
        abortSignal: signal,
      });
      const texts = content.filter(({ type }) => type === 'text').map(({ text }) => String(text));
      return {
        text: texts.join(''),
        usage: readUsage(usage),
      };
    },
  };
}
