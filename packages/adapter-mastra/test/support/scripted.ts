import { Agent } from '@mastra/core/agent';
import { noopLogger } from '@mastra/core/logger';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import type { GuardableAgent } from '../../src/index.ts';

/** The specifications of language models that Mastra takes. */
export type Specification = 'v2' | 'v3';

/** What a scripted model answers with. */
export interface Answer {
  readonly text: string;
  readonly calls?: readonly Call[];
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
}

/** A call that a model asks for. Arguments that were cut off are a text that is no JSON. */
interface Call {
  readonly id: string;
  readonly tool: string;
  readonly args: object | string;
}

/** What a model was asked, as far as a script looks at it. */
export interface Question {
  readonly texts: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly terms: { readonly tools: number; readonly maxTokens: number | undefined };
}

/** What a tool is to do. */
export type Use = (
  args: Record<string, string>,
  signal: AbortSignal | undefined,
) => Promise<string>;

interface Params {
  readonly prompt: readonly { readonly content: string | readonly object[] }[];
  readonly abortSignal?: AbortSignal | undefined;
  readonly tools?: readonly object[] | undefined;
  readonly maxOutputTokens?: number | undefined;
}

/** A model that answers as a script says. */
export function model(
  specificationVersion: Specification,
  modelId: string,
  answer: (question: Question) => Answer | Promise<Answer>,
): object {
  const answered = async (params: Params): Promise<Answer> => {
    const { prompt, abortSignal: signal, tools = [], maxOutputTokens: maxTokens } = params;
    const texts = prompt.map(({ content }) => textIn(content));
    return answer({ texts, signal, terms: { tools: tools.length, maxTokens } });
  };
  return {
    specificationVersion,
    provider: 'scripted',
    modelId,
    supportedUrls: {},
    doGenerate: async (params: Params) => {
      const given = await answered(params);
      const said = given.text === '' ? [] : [{ type: 'text', text: given.text }];
      const content = [...said, ...callsOf(given)];
      return { content, ...endOf(specificationVersion, given), warnings: [] };
    },
    doStream: async (params: Params) => {
      const given = await answered(params);
      return { stream: ReadableStream.from(partsOf(specificationVersion, given)) };
    },
  };
}

/** A tool that takes any arguments. */
export function tool(id: string, use: Use): object {
  return createTool({
    id,
    description: `Uses ${id}.`,
    inputSchema: z.record(z.string(), z.string()),
    execute: (args, context) => use(args, Object(context).abortSignal),
  });
}

/** An agent of Mastra. */
export function agent(
  name: string,
  own: object,
  tools: Record<string, object>,
  more: object = {},
): GuardableAgent {
  const config = { id: name, name, instructions: 'Do your part.', model: own, tools, ...more };
  const made = new Agent({ maxRetries: 0, ...config } as never);
  // It writes each error of a model to the console.
  made.__setLogger(noopLogger);
  return made as unknown as GuardableAgent;
}

function textIn(content: string | readonly object[]): string {
  if (typeof content === 'string') return content;
  const texts = content.map((part) => ('text' in part ? String(part.text) : JSON.stringify(part)));
  return texts.join('\n');
}

function partsOf(version: Specification, answer: Answer): readonly object[] {
  const id = '1';
  const deltas = answer.text.split(/(?<= )/).map((delta) => ({ type: 'text-delta', id, delta }));
  const said = [{ type: 'text-start', id }, ...deltas, { type: 'text-end', id }];
  return [
    { type: 'stream-start', warnings: [] },
    ...(answer.text === '' ? [] : said),
    ...callsOf(answer),
    { type: 'finish', ...endOf(version, answer) },
  ];
}

function callsOf({ calls = [] }: Answer): readonly object[] {
  return calls.map(({ id, tool: toolName, args }) => {
    const input = typeof args === 'string' ? args : JSON.stringify(args);
    return { type: 'tool-call', toolCallId: id, toolName, input };
  });
}

function endOf(version: Specification, answer: Answer): object {
  const { calls = [], usage = { inputTokens: 0, outputTokens: 0 } } = answer;
  const reason = calls.length > 0 ? 'tool-calls' : 'stop';
  const { inputTokens, outputTokens } = usage;
  if (version === 'v2') {
    const totalTokens = inputTokens + outputTokens;
    return { finishReason: reason, usage: { inputTokens, outputTokens, totalTokens } };
  }
  return {
    finishReason: { unified: reason, raw: reason },
    usage: {
      inputTokens: { total: inputTokens, noCache: inputTokens },
      outputTokens: { total: outputTokens, text: outputTokens },
    },
  };
}
