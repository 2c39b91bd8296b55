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

interface Params {
  readonly prompt: readonly { readonly content: string | readonly object[] }[];
  readonly abortSignal?: AbortSignal | undefined;
  readonly tools?: readonly object[] | undefined;
  readonly maxOutputTokens?: number | undefined;
}

/** A part of an answer. */
interface Part {
  readonly type: string;
}

/** Both ways in which a mock model of the AI SDK answers. */
export interface Scripted {
  doGenerate(params: Params): Promise<Whole>;
  doStream(params: Params): Promise<{ readonly stream: ReadableStream<Part> }>;
}

interface Whole extends End {
  readonly content: readonly Part[];
  readonly warnings: readonly never[];
}

interface End {
  readonly finishReason: object;
  readonly usage: object;
}

/** A model that answers as a script says. */
export function scripted(answer: (question: Question) => Answer | Promise<Answer>): Scripted {
  const answered = async (params: Params): Promise<Answer> => {
    const { prompt, abortSignal: signal, tools = [], maxOutputTokens: maxTokens } = params;
    const texts = prompt.map(({ content }) => textIn(content));
    return answer({ texts, signal, terms: { tools: tools.length, maxTokens } });
  };
  return {
    doGenerate: async (params) => wholeOf(await answered(params)),
    doStream: async (params) => {
      const parts = partsOf(await answered(params));
      return { stream: ReadableStream.from(parts) as ReadableStream<Part> };
    },
  };
}

function textIn(content: string | readonly object[]): string {
  if (typeof content === 'string') return content;
  const texts = content.map((part) => ('text' in part ? String(part.text) : JSON.stringify(part)));
  return texts.join('\n');
}

function wholeOf(answer: Answer): Whole {
  const said = answer.text === '' ? [] : [{ type: 'text', text: answer.text }];
  return { content: [...said, ...callsOf(answer)], ...endOf(answer), warnings: [] };
}

function partsOf(answer: Answer): readonly Part[] {
  const id = '1';
  const deltas = answer.text.split(/(?<= )/).map((delta) => ({ type: 'text-delta', id, delta }));
  const said = [{ type: 'text-start', id }, ...deltas, { type: 'text-end', id }];
  return [
    { type: 'stream-start', ...{ warnings: [] } },
    ...(answer.text === '' ? [] : said),
    ...callsOf(answer),
    { type: 'finish', ...endOf(answer) },
  ];
}

function callsOf({ calls = [] }: Answer): readonly Part[] {
  return calls.map(({ id, tool, args }) => {
    const call = { toolCallId: id, toolName: tool, input: JSON.stringify(args) };
    return { type: 'tool-call', ...call };
  });
}

function endOf({ calls = [], usage = { inputTokens: 0, outputTokens: 0 } }: Answer): End {
  const reason = calls.length > 0 ? 'tool-calls' : 'stop';
  return {
    finishReason: { unified: reason, raw: reason },
    usage: {
      inputTokens: { total: usage.inputTokens, noCache: usage.inputTokens },
      outputTokens: { total: usage.outputTokens, text: usage.outputTokens },
    },
  };
}
