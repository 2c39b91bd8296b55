import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

const ANSWER_TOKENS = 20;
const ANSWER_MS = 5;

/** A model that answers everything, and counts the tokens that it serves. */
export interface Model {
  readonly server: Server;
  readonly url: string;
  readonly served: { calls: number; tokens: number };
  /** What an answer waits for. */
  before: () => Promise<unknown>;
}

/** What a program asks whose model then calls the same tool for ever. */
export const SEARCH = 'Find the orders.';

interface Message {
  readonly role: string;
  readonly content: string | null;
}

/** Starts a model at an endpoint of this machine. It needs fewer tokens for a prompt than anybody estimates. */
export async function startModel(): Promise<Model> {
  const served = { calls: 0, tokens: 0 };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    await model.before();
    const usage = { prompt_tokens: Math.ceil(body.length / 10), completion_tokens: ANSWER_TOKENS };
    served.calls++;
    served.tokens += usage.prompt_tokens + usage.completion_tokens;
    const { messages } = JSON.parse(body) as { readonly messages: readonly Message[] };
    const choices = [{ index: 0, message: answerTo(messages.at(-1)) }];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'chat.completion', choices, usage }));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${Object(server.address()).port}`;
  const model: Model = { server, url, served, before: () => pause(ANSWER_MS) };
  return model;
}

function answerTo(last: Message | undefined): object {
  const isSearching = last?.role === 'tool' || last?.content === SEARCH;
  if (!isSearching) return { role: 'assistant', content: 'Done.' };
  const call = { name: 'find', arguments: '{"query":"orders"}' };
  const calls = [{ id: 'call_1', type: 'function', function: call }];
  return { role: 'assistant', content: null, tool_calls: calls };
}

/** The most that one call can take. */
export const MAX_CALL = 100;
