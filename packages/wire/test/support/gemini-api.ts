import type { Said } from './said.ts';

interface Tokens {
  readonly input: number;
  readonly output: number;
}

type Call = NonNullable<Said['calls']>[number];

interface Api {
  readonly end: RegExp;
  readonly whole: (said: Said, tokens: Tokens) => object;
  readonly events: (said: Said, tokens: Tokens) => readonly { readonly data: object }[];
}

/** Gemini's own API as a {@link ModelEndpoint} speaks it: its calls have no ids. */
export const gemini: Api = {
  end: /models\/[^/]+:(?:stream)?generateContent$/i,
  whole: (said, tokens) => chunk(said, tokens, partsOf(said, withoutId), 'STOP'),
  events: (said, tokens) => {
    const parts = partsOf(said, withoutId);
    const whole = parts.map((part) => ({ data: chunk(said, { ...tokens, output: 1 }, [part]) }));
    return [...whole, { data: chunk(said, tokens, [{ text: '' }], 'STOP') }];
  },
};

/** The same for people who are logged in to the Gemini CLI: in an envelope, with ids. */
export const codeAssist: Api = {
  end: /v1internal:(?:stream)?generateContent$/i,
  whole: (said, tokens) => ({
    response: chunk(said, tokens, partsOf(said, withId), 'STOP'),
  }),
  events: (said, tokens) => [
    ...partsOf(said, withId).map((part) => ({ data: { response: chunk(said, tokens, [part]) } })),
    { data: { response: chunk(said, tokens, [], 'STOP'), traceId: 't' } },
  ],
};

function partsOf(
  { text = '', calls = [] }: Said,
  callOf: (call: Call) => object,
): readonly object[] {
  const thought = { text: 'I think about it.', thought: true };
  const said = (text.match(text.length > 1_000 ? /.{1,64}/gs : /.{1,8}/gs) ?? []).map((piece) => ({
    text: piece,
  }));
  return [thought, ...said, ...calls.map((call) => ({ functionCall: callOf(call) }))];
}

const withId = ({ id, tool, args }: Call): object => ({ id, name: tool, args });
const withoutId = ({ tool, args }: Call): object => ({ name: tool, args });

/** Gemini's counts, which stand beside each other: of the prompt, of tools, of the answer and of thoughts. */
function chunk(
  { text }: Said,
  { input, output }: Tokens,
  parts: readonly object[],
  finishReason?: string,
): object {
  const [thoughts, tools] = [text === undefined ? 0 : 1, 1];
  return {
    candidates: [
      { content: { role: 'model', parts }, index: 0, ...(finishReason && { finishReason }) },
    ],
    usageMetadata: {
      promptTokenCount: input - tools,
      toolUsePromptTokenCount: tools,
      cachedContentTokenCount: 1,
      candidatesTokenCount: output - thoughts,
      thoughtsTokenCount: thoughts,
      totalTokenCount: input + output,
    },
    modelVersion: 'gemini-2.5-flash',
    responseId: crypto.randomUUID(),
  };
}
