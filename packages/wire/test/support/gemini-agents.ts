import { type Content, type FunctionCall, GoogleGenAI, type Part } from '@google/genai';
import type { Agent, Client } from './agent.ts';

const MODEL = 'gemini-2.5-flash';
const SYSTEM = 'You look things up.';
const DECLARED = { name: 'search', parametersJsonSchema: { type: 'object', properties: {} } };
const CONFIG = { systemInstruction: SYSTEM, tools: [{ functionDeclarations: [DECLARED] }] };
const MAX_ROUNDS = 30;

type Tool = (args: unknown) => string;

/** What is sent back for calls, with their ids if they have any. */
function resultsOf(calls: readonly FunctionCall[], tool: Tool): Part[] {
  return calls.map(({ id, name = '', args }) => ({
    functionResponse: { ...(id && { id }), name, response: { output: tool(args) } },
  }));
}

/** The SDK, with the history in the caller's hands. */
const sdk =
  (isVertex: boolean): Agent =>
  async ({ baseURL: baseUrl, fetch }, task, tool) => {
    const options = { apiKey: 'k', vertexai: isVertex, httpOptions: { baseUrl, fetch } };
    const { models } = new GoogleGenAI(options);
    const contents: Content[] = [{ role: 'user', parts: [{ text: task }] }];
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const answer = await models.generateContent({ model: MODEL, contents, config: CONFIG });
      const { functionCalls: calls = [], candidates, text = '' } = answer;
      if (calls.length === 0) return text;
      contents.push(candidates?.[0]?.content as Content);
      contents.push({ role: 'user', parts: resultsOf(calls, tool) });
    }
    return 'ran out of rounds';
  };

/** The SDK's chat, which keeps each chunk of a stream as an entry of its history. */
const chat: Agent = async ({ baseURL: baseUrl, fetch }, task, tool) => {
  const { chats } = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl, fetch } });
  const session = chats.create({ model: MODEL, config: CONFIG });
  let message: string | Part[] = task;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const calls: FunctionCall[] = [];
    let text = '';
    for await (const chunk of await session.sendMessageStream({ message })) {
      text += chunk.text ?? '';
      calls.push(...(chunk.functionCalls ?? []));
    }
    if (calls.length === 0) return text;
    message = resultsOf(calls, tool);
  }
  return 'ran out of rounds';
};

/** Requests as they are written without an SDK, whose answers are joined from their chunks. */
const byHand =
  (path: string, bodyOf: (contents: readonly Content[]) => object): Agent =>
  async (client, task, tool) => {
    const contents: Content[] = [{ role: 'user', parts: [{ text: task }] }];
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const parts = await partsOf(client, path, bodyOf(contents));
      const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
      const text = parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join('');
      if (calls.length === 0) return text;
      contents.push({ role: 'model', parts: [...parts] });
      contents.push({ role: 'user', parts: resultsOf(calls, tool) });
    }
    return 'ran out of rounds';
  };

async function partsOf(
  { baseURL, fetch }: Client,
  path: string,
  body: object,
): Promise<readonly Part[]> {
  const headers = { authorization: 'Bearer ya29.token', 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${baseURL}${path}`, init);
  const text = await response.text();
  if (!response.ok) throw Object.assign(new Error(text), { status: response.status });
  const events = text.startsWith('data:') ? text.trim().split('\n\n') : [text];
  const chunks = events.flatMap((event) => JSON.parse(event.replace(/^data: /, '')));
  return chunks.flatMap((chunk) => (chunk.response ?? chunk).candidates[0].content.parts);
}

const plain = (contents: readonly Content[]): object => ({
  contents,
  system_instruction: { parts: [{ text: SYSTEM }] },
  tools: [{ function_declarations: [DECLARED] }],
});
const enveloped = (contents: readonly Content[]): object => ({
  model: MODEL,
  project: 'p',
  request: { ...plain(contents), session_id: 's1' },
});

const VERTEX = '/v1/projects/p/locations/us-central1/publishers/google/models';

/** The agents that ask Gemini over its own API. */
export const GEMINI_AGENTS: Readonly<Record<string, Agent>> = {
  Gemini: sdk(false),
  'Gemini, streamed': chat,
  'Gemini, streamed as a list': byHand(`/v1/models/${MODEL}:streamGenerateContent`, plain),
  'Vertex AI': sdk(true),
  'Vertex AI, streamed': byHand(`${VERTEX}/${MODEL}:streamGenerateContent?alt=sse`, plain),
  'Code Assist': byHand('/v1internal:generateContent', enveloped),
  'Code Assist, streamed': byHand('/v1internal:streamGenerateContent?alt=sse', enveloped),
};
